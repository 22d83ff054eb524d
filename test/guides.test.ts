import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, PAGES, Reader, ROOT, readPage } from './guide.ts';
import { ServerProcess } from './server-process.ts';

let server: ServerProcess;
let reader: Reader;
let place: string;
beforeAll(async () => {
  server = await ServerProcess.inNewDirectory();
  // No channel: stand-ins for tokens must not reach a real one.
  const { base_url } = await server.start({
    CHATAPP_API_BASE_URL: 'http://127.0.0.1:9',
    // Other tests have it; without it agents start faster.
    RUNTIME_ISOLATION: 'none',
    // The page about events has a receiver on this machine.
    EVENTS_ALLOWED_HOSTS: '127.0.0.1',
  });
  place = mkdtempSync(join(tmpdir(), 'acp-reader-'));
  reader = new Reader(place, { dataDir: server.dataDir, base_url });
});
afterAll(async () => {
  await server.remove();
  rmSync(place, { recursive: true });
});

interface Guide {
  page: string;
  typed?: string;
  prints: readonly RegExp[];
  /** Output that the page shows as well. */
  shown?: readonly string[];
}

/** In this order: those behind the README continue it, as they say. */
const guides: readonly Guide[] = [
  {
    page: 'README.md',
    typed: 'help\ntalk to a human\n',
    prints: [/^crew\.example\.com is running$/m, /^I can do this:\n• who can /m, /"name":"Front desk"/],
    shown: ['I am passing this on to a person, who will answer you here.'],
  },
  {
    page: 'docs/talk-to-your-agent.md',
    typed: 'help\n',
    prints: [/(?:^I can do this:$[^]*){4}/m],
    shown: ['Nobody active can crane.\n'],
  },
  {
    page: 'docs/take-over-a-conversation.md',
    prints: [
      /^ID +WITH +CHANNEL +MODE +BY +UNANSWERED .*\n\S+ +\S+ +playground +human until 20/m,
      /^20\S+ \S+Z {2}sender {2}talk to a human$/m,
      /^20\S+ \S+Z {2}system {2}handed over: The sender asked for a person$/m,
      /^delivered: message \S+$/m,
      /: the key First key has it until 20.*\n\S+: the agent answers$/m,
      / WHY\n/,
      / LAST ERROR\n/,
    ],
  },
  {
    page: 'docs/webhook.md',
    prints: [
      /^number 187768953141096 is answered: /m,
      /^42delivered to instance /m,
      /^20\S+ \S+Z {2}agent {3}I can do this:$/m,
      / delivered +61455000001 /,
    ],
  },
  { page: 'docs/tools-and-approvals.md', prints: [/"allowed_hosts":\["mcp\.example\.com"\]/] },
  {
    page: 'docs/quick-start.md',
    typed: 'who can forklift\ntalk to a human\n',
    prints: [
      /^crew\.my-company\.example is running$/m,
      /^Who can forklift:\n• Ana Silva, employee\n• Ben Okafor, contractor\n/m,
      /^delivered: message \S+\n\S+: the agent answers\n[^]*^I can do this:$/m,
      /^ready: true, violations: 0\npending {2}Deploy accepted\n/m,
      /^front\.example\.com is running: instance \S+$/m,
    ],
  },
  {
    page: 'docs/greet-and-remind.md',
    prints: [/^\[system\] Welcome to Acme\.\nI can do this:$/m, /^onboarding flow|Welcome/m],
  },
  {
    page: 'docs/onboard-a-customer.md',
    prints: [
      /^2 added, 0 changed$/m,
      /^crew\.harbour\.example is running$/m,
      /agent {3}Logged 7\.5 hours on 20\d\d-\d\d-\d\d\./,
      /^20\d\d-\d\d-\d\d, 7\.5 h: approved$/m,
      /^It differs\.$/m,
      /^upgrade \S+: succeeded$/m,
    ],
    shown: [
      'agent   Thank you, Ana Silva. This address is verified now.',
      '• 2030-01-08 09:00 to 17:00 Australia/Sydney, Pier 4 (scheduled)',
    ],
  },
  {
    page: 'docs/recipes.md',
    prints: [
      /"\/channel_config\/colour":"nobody"/,
      /^documents\.harbour\.example is running$/m,
      /^Voice desk is manifest voice-desk$/m,
    ],
    shown: ['overtime.txt:\nOvertime is paid from the ninth hour.\nI found no file named wages.\n'],
  },
  { page: 'docs/events.md', prints: [/^delivery \S+ is on its way\nping \{\}$/m, / ping +delivered /] },
  { page: 'docs/mcp.md', prints: [/Crew assistant[^]*"jsonrpc":"2\.0"/] },
  {
    page: 'docs/write-a-runtime.md',
    prints: [/^echo\.example\.com is running$/m],
    shown: ['You wrote: hello\n'],
  },
  { page: 'cli/README.md', prints: [/ Crew assistant /] },
  // The last one: it changes the key under which everything is encrypted.
  { page: 'docs/run-a-server.md', prints: [/^the master key wraps all keys /m] },
];

describe('the commands of', () => {
  it.each(guides)('$page work in this order', async ({ page, typed, prints, shown = [] }) => {
    const output = await reader.follow(page, typed);
    for (const pattern of prints) expect(output).toMatch(pattern);
    for (const text of shown)
      expect([output, readPage(page)]).toEqual(Array(2).fill(expect.stringContaining(text)));
  });
});

it('every block of every page is run, or says why not', () => {
  const run = guides.map(({ page }) => page);
  const left = PAGES.filter((page) => blocksOf(page).some(({ skip }) => !skip) && !run.includes(page));
  expect(left).toEqual([]);
  const skipped = PAGES.flatMap(blocksOf).flatMap(({ skip }) => skip ?? []);
  const counts = skipped
    .toSorted()
    .reduce(
      (so_far: Record<string, number>, reason) => ({ ...so_far, [reason]: (so_far[reason] ?? 0) + 1 }),
      {},
    );
  expect(counts).toEqual({
    'changes-the-machine': 7,
    'inside-a-runtime': 2,
    'keeps-running': 4,
    'needs-a-file': 1,
    'needs-a-server-database': 2,
    'needs-another-server': 2,
    'needs-docker': 8,
    'needs-kubernetes': 8,
    'needs-the-client': 2,
    'run-by-another-test': 2,
    'takes-long': 4,
  });
});

it('the program of the quick start has fewer than 40 lines, needs the client alone, and is on the page', () => {
  const script = readFileSync(join(ROOT, 'docs/examples/deploy-an-agent.ts'), 'utf8');
  expect(script.split('\n').length - 1).toBeLessThan(40);
  const imported = [...script.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imported).toEqual(['node:fs', '@agent-control-plane/sdk']);
  expect(readPage('docs/quick-start.md')).toContain(`\`\`\`ts\n${script}\`\`\``);
});

it('examples on pages are those of the files', () => {
  const examples = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/\[(\w[\w-]*\.yaml)\]\(examples\/\1\)/g)].map(([, file = '']) => ({
      page,
      file,
    })),
  );
  const shown = examples.filter(({ page, file }) => {
    const name = /^name: .*$/m.exec(readFileSync(join(ROOT, 'docs/examples', file), 'utf8'))?.[0];
    return name !== undefined && readPage(page).includes(`\`\`\`yaml\n${name}\n`);
  });
  expect(shown.map(({ file }) => file).toSorted()).toEqual(['effects.yaml', 'voice-desk.yaml']);
  for (const { page, file } of shown)
    expect(readPage(page)).toContain(
      `\`\`\`yaml\n${readFileSync(join(ROOT, 'docs/examples', file), 'utf8')}\`\`\``,
    );
});
