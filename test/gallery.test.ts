import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { dumpDatabase, PlantedSecrets } from '../server/test/support/planted-secrets.ts';
import { FakeToolServer } from '../server/test/support/tool-server.ts';
import { Channel, numberIn } from './channel.ts';
import { startGalleryModel } from './gallery-model.ts';
import { call, until } from './instances.ts';
import { memoryOf } from './process-memory.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const ANA = '4915112345678';
const PIN = '482913';
const SOON = { timeout: 180_000, interval: 100 };
/** A trigger of every minute may only come in the next but one. */
const NEXT_MINUTES = { timeout: 150_000, interval: 100 };

interface Desk {
  name: string;
  instance_id: string;
  phone_number_id: string;
}
const folderId = (path: string) => Buffer.from(path).toString('base64url');

const secrets = new PlantedSecrets();
/** A public value proves that the search works. */
const open = new PlantedSecrets();
const token = secrets.plant('token of the order server', randomBytes(24).toString('base64url'));
const isOpen = new Set(['1042']);
const orders = new FakeToolServer({
  find_order: (number) => `Order ${number} is ${isOpen.has(number) ? 'packed' : 'cancelled'}.`,
  cancel_order: (number) => {
    isOpen.delete(number);
    return `Order ${number} is cancelled.`;
  },
});
const channel = new Channel();
const transcript: string[] = [];
const desks = new Map<string, Desk>();
let model: Awaited<ReturnType<typeof startGalleryModel>>;
let server: ServerProcess;
let credentials: Credentials;
let customer: string;

const api = <T = Record<string, unknown>>(method: string, path: string, json?: unknown) =>
  call<T>(credentials, method, path, json);
const make = async (path: string, json: unknown) => (await api<{ id: string }>('POST', path, json)).id;

beforeAll(async () => {
  [model] = await Promise.all([startGalleryModel(), channel.start(), orders.start()]);
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start({
    LOG_LEVEL: 'trace',
    CHATAPP_API_BASE_URL: channel.send_url,
    MCP_ALLOWED_HOSTS: '127.0.0.1',
    LLM_BASE_URL: model.base_url,
    LLM_MODEL: 'm',
    LLM_API_KEY: 'key',
  });
  channel.base_url = credentials.base_url;
  customer = `/v1/customers/${await make('/v1/customers', { email: 'shop@example.com' })}`;
  await createPeopleAndConnections();
  await fillDrive();
  await Promise.all(
    Object.entries({
      'Crew desk': {},
      'Appointment desk': {},
      'Order desk': {
        mcp_servers: [
          {
            name: 'orders',
            url: orders.url,
            provider: 'orders',
            allowed_tools: ['find_order', 'cancel_order'],
          },
        ],
      },
      'Document desk': { data_access: { folder_ids: [folderId('/handbook')] } },
      'Daily summary': {
        trigger_templates: [
          {
            name: 'daily summary',
            schedule: '* * * * *',
            prompt: 'Read the document "today" with read_file and sum it up.',
            to: ANA,
          },
        ],
      },
    }).map(([name, instance_overrides], index) => deployTemplate(name, instance_overrides, index)),
  );
  // The channel takes free text for 24 hours after this message. A summary may arrive before its answer.
  await say(begin('Daily summary'), 'Good morning');
  await expectAmongOthers(desk('Daily summary'), 'Good morning, Ana.', SOON);
});
afterAll(async () => {
  process.stdout.write(`${transcript.join('\n')}\n`);
  await channel.close();
  await server.remove();
  orders.stop();
  model.stop();
});

async function createPeopleAndConnections(): Promise<void> {
  await make(`${customer}/identities`, { channel: 'chatapp', external_id: ANA, verified: true });
  await make(`${customer}/staff`, { name: 'Ben Okafor', role: 'contractor', skills: ['forklift'] });
  const ana = await make(`${customer}/staff`, { name: 'Ana Silva', role: 'employee' });
  await make(`${customer}/staff/${ana}/bindings`, { channel_type: 'chatapp', channel_address: ANA });
  await api('POST', `${customer}/pin`, { pin: PIN });
  const connect = (provider: string, given: object, more: object = {}) =>
    make(`${customer}/connections`, { provider, credentials: given, ...more });
  await connect('chatapp', { access_token: 'the access token' });
  await connect('filesystem', { root: 'shop' });
  await connect('orders', { token }, { allowed_hosts: [new URL(orders.url).host] });
}

async function fillDrive(): Promise<void> {
  const root = join(server.dataDir, 'drive', credentials.tenant_id, 'shop');
  for (const folder of ['handbook', 'office']) await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'handbook', 'overtime rules.txt'), 'Overtime is paid from the ninth hour.');
  await writeFile(join(root, 'office', 'wages.txt'), 'Nobody else’s business.');
  await writeFile(join(root, 'office', 'today.txt'), 'Crane at pier 4 from 9:00. Ben is off.');
}

async function deployTemplate(name: string, instance_overrides: object, index: number): Promise<void> {
  const first = async (path: string) => (await api<{ items: { id: string }[] }>('GET', path)).items[0]?.id;
  const recipes = await api<{ id: string; name: string; is_platform_template: boolean }[]>(
    'GET',
    '/v1/recipes',
  );
  const template = recipes.find((one) => one.is_platform_template && one.name === name);
  const request = {
    recipe_id: template?.id,
    customer_id: customer.split('/').at(-1),
    hostname: `desk-${index}.example.com`,
    instance_overrides,
  };
  const plan = await api('POST', '/v1/recipes/deploy-check', request);
  expect(plan).toMatchObject({ ready: true, violations: [], missing_connections: [] });
  const where = { tier_id: await first('/v1/tiers'), region_id: await first('/v1/regions') };
  const { instance_id } = await api<{ instance_id: string }>('POST', '/v1/recipes/deploy', {
    ...request,
    ...where,
    plan_hash: plan.plan_hash,
  });
  await until(credentials, instance_id, 'running');
  const phone_number_id = `18776895314109${index}`;
  await make('/v1/channel-endpoints', {
    channel: 'chatapp',
    phone_number_id,
    instance_id,
    verify_token: 'a word',
    app_secret: channel.app_secret,
  });
  desks.set(name, { name, instance_id, phone_number_id });
}

const desk = (name: string) => desks.get(name) ?? expect.fail(`No desk ${name}`);

const textsFrom = ({ phone_number_id }: Desk) =>
  channel.sendApi.sent
    .filter(({ path }) => numberIn(path) === phone_number_id)
    .flatMap(({ body }) => (body.type === 'text' && body.text ? [body.text.body] : []));

async function say(to: Desk, text: string): Promise<void> {
  transcript.push(`  Ana: ${text === PIN ? '••••••' : text}`);
  await channel.write(ANA, text, to.phone_number_id);
}

const receivedCount = new Map<Desk, number>();

async function expectTexts(from: Desk, ...expected: unknown[]): Promise<void> {
  const before = receivedCount.get(from) ?? 0;
  const next = () => textsFrom(from).slice(before, before + expected.length);
  await vi.waitFor(() => expect(next()).toEqual(expected), SOON);
  receivedCount.set(from, before + expected.length);
  transcript.push(...next().map((text) => `  ${from.name}: ${text}`));
}

/** Such a desk sends texts at any time. */
async function expectAmongOthers(from: Desk, text: string, wait: typeof SOON): Promise<void> {
  await vi.waitFor(() => expect(textsFrom(from)).toContain(text), wait);
  transcript.push(`  ${from.name}: ${text}`);
}

const begin = (name: string): Desk => {
  transcript.push(`[${name}]`);
  return desk(name);
};

async function conversationOf({ instance_id }: Desk): Promise<{ id: string; mode: string }> {
  const { items } = await api<{ items: { id: string; mode: string }[] }>(
    'GET',
    `/v1/conversations?instance_id=${instance_id}`,
  );
  return items[0] ?? expect.fail('No conversation');
}

it('Crew desk: finds qualified staff, and logs hours after a PIN', async () => {
  const crew = begin('Crew desk');
  await say(crew, 'Is there anybody who drives a forklift?');
  await expectTexts(crew, 'Who can forklift:\n• Ben Okafor, contractor');
  await say(crew, 'I worked 8 hours today');
  await expectTexts(crew, expect.stringMatching(/^To log 8 hours .*, please send your PIN\.$/));
  await say(crew, PIN);
  await expectTexts(crew, expect.stringMatching(/^This address is not verified yet\. Reply "yes"/));
  await say(crew, 'yes');
  await expectTexts(crew, expect.stringMatching(/^Thank you, Ana Silva\./));
  await say(crew, 'So: I worked 8 hours today');
  await expectTexts(crew, expect.stringMatching(/^Logged 8 hours/));
});

it('Appointment desk: notes a request and hands over to a person', async () => {
  const appointments = begin('Appointment desk');
  await say(appointments, 'I want a boiler looked at');
  await expectTexts(
    appointments,
    'Hello! I take down what you need, and a colleague fixes the time with you.',
    'Gladly. Your name, and two times that suit you?',
    'You are writing with an automated assistant.',
  );
  await say(appointments, 'Ana. Monday or Tuesday at 9');
  await expectTexts(appointments, 'I am passing this on to a person, who will answer you here.');
  // The agent answers before it hands over.
  const { id } = await vi.waitFor(async () => {
    const conversation = await conversationOf(appointments);
    expect(conversation.mode).toBe('human');
    return conversation;
  }, SOON);
  transcript.push('  [Ben has the conversation]');
  await api('POST', `/v1/conversations/${id}/messages`, { text: 'Ben here. Tuesday at 9 it is.' });
  await expectTexts(appointments, 'Ben here. Tuesday at 9 it is.');
});

it('Document desk: answers from the granted folders alone', async () => {
  const documents = begin('Document desk');
  await say(documents, 'From when on is overtime paid?');
  await expectTexts(documents, 'overtime rules.txt:\nOvertime is paid from the ninth hour.');
  await say(documents, 'And what are the wages?');
  await expectTexts(documents, 'I found no file named wages.');
});

it('Order desk: asks the order server, and cancels after an approval', async () => {
  const shop = begin('Order desk');
  await say(shop, 'Where is order 1042?');
  await expectTexts(shop, 'Order 1042 is packed.');
  await say(shop, 'Then cancel it, please');
  await expectTexts(shop, 'A colleague has to approve that. I tell you as soon as it is done.');
  expect([...isOpen]).toEqual(['1042']);
  const waiting = await api<{ items: { id: string }[] }>('GET', '/v1/approvals?status=waiting');
  expect(waiting.items).toMatchObject([
    { tool: 'orders__cancel_order', arguments: { text: '1042' }, instance_id: shop.instance_id },
  ]);
  transcript.push('  [Ben approves orders__cancel_order]');
  await api('POST', `/v1/approvals/${waiting.items[0]?.id}`, { decision: 'approve' });
  await expectTexts(shop, 'It is approved: order 1042 is cancelled.');
  expect(orders.calls.map(({ name, authorization }) => [name, authorization])).toEqual([
    ['find_order', `Bearer ${token}`],
    ['cancel_order', `Bearer ${token}`],
  ]);
});

it('Daily summary: sends a text by its schedule', async () => {
  const summary = 'today.txt:\nCrane at pier 4 from 9:00. Ben is off.';
  await expectAmongOthers(begin('Daily summary'), summary, NEXT_MINUTES);
});

it('the order server’s token is nowhere in clear: memory, environments, logs, files or rows', async () => {
  const { instance_id } = desk('Order desk');
  open.plant('the instance', instance_id);
  const found: string[] = [];
  const foundOpen: string[] = [];
  const look = (where: string, content: string | Buffer) => {
    found.push(...secrets.foundIn(where, content));
    foundOpen.push(...open.foundIn(where, content));
  };
  expect(server.runtimes()).toHaveLength(5);
  for (const { pid } of server.runtimes()) {
    look('an environment', readFileSync(`/proc/${pid}/environ`));
    for (const piece of memoryOf(pid)) look('a memory', piece);
  }
  for (const { table, text } of await dumpDatabase(await server.databaseUrl())) look(table, text);
  await server.end('SIGTERM');
  look('the server’s log', server.output);
  const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    look(`a file ${entry.name}`, await readFile(join(entry.parentPath, entry.name)));
  }
  expect(found).toEqual([]);
  expect(foundOpen).toEqual(
    expect.arrayContaining([
      'the instance in an environment',
      'the instance in a memory',
      'the instance in public.instances',
      'the instance in the server’s log',
    ]),
  );
});
