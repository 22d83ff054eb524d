import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations, toolRoutes } from '../server/src/areas.ts';
import { PAGES, ROOT, readPage } from './guide.ts';

/** As GitHub makes anchors of headings. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (text: string) =>
  (text.match(/^#+ .*$/gm) ?? []).map((line) => anchorOf(line.replace(/^#+ /, '')));

describe('a link', () => {
  it.each(PAGES)('of %s has a target', (page) => {
    const prose = readPage(page).replaceAll(/^```.*?^```/gms, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(readPage(file)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

/** docs/schema.md is made, from the database. */
const written = PAGES.filter((page) => page !== 'docs/schema.md');

it.each(written)('the tables of %s fit on a phone: a cell shows at most 120 characters', (page) => {
  const rows = readPage(page).match(/^\|.*\|$/gm) ?? [];
  const cells = rows.flatMap((row) => row.replaceAll(/\]\([^)]*\)/g, ']').split(/(?<!\\)\|/));
  expect(
    cells.map((cell) => cell.trim()).filter((cell) => cell.length > 120 && !/^:?-+:?$/.test(cell)),
  ).toEqual([]);
});

it('the guides to runtimes name every route for runtimes', () => {
  const guide = ['write-a-runtime', 'runtime-identity'].map((name) => readPage(`docs/${name}.md`)).join();
  const forRuntimes = operations.filter(({ credential }) => ['instance', 'enrollment'].includes(credential));
  const routes = forRuntimes.map(({ path }) => path.replace('/internal/v1/instances/{instance_id}', ''));
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((route) => !guide.includes(route))).toEqual([]);
});

it('the guide to MCP has every tool with its scope', () => {
  const rows = [
    ...readPage('docs/mcp.md').matchAll(/^\| `(\w+)` +\|([^|]*)\| (reads|changes|takes away)\b/gm),
  ];
  const documented = rows.map(
    ([, name, scope = '', does]) => `${name} ${scope.replaceAll('`', '').trim()} ${does}`,
  );
  const instead = new Map(toolRoutes.map(({ operation }) => [operation.id, operation]));
  const others = operations.filter(({ id }) => !instead.has(id));
  const tools = [...instead.values(), ...others].flatMap(({ id, method, scope, credential, mcp }) => {
    if (!mcp || mcp.unlisted) return [];
    const reads = mcp.readOnly ?? method === 'GET';
    const takes = mcp.destructive ?? method === 'DELETE';
    const needs = [scope ?? '', ...(credential === 'admin' ? ['admin'] : [])].join(', ');
    return [`${id} ${needs} ${reads ? 'reads' : takes ? 'takes away' : 'changes'}`];
  });
  expect(documented.toSorted()).toEqual(tools.toSorted());
});

it('every alert has a line in the runbook, and every line an alert', () => {
  const alerts = readPage('deploy/monitoring/alerts.yml').match(/(?<=- alert: )\w+/g) ?? [];
  const lines = readPage('docs/runbook.md').match(/(?<=^\| `)Acp\w+/gm) ?? [];
  expect(alerts.length).toBeGreaterThan(10);
  expect(lines.toSorted()).toEqual(alerts.toSorted());
});

it('rules and panels use documented metrics, or those of the process', () => {
  const used = ['alerts.yml', 'dashboard.json'].flatMap(
    (file) => readPage(`deploy/monitoring/${file}`).match(/\bacp_\w+/g) ?? [],
  );
  const page = readPage('docs/operate.md');
  const unknown = used.filter((name) => !page.includes(`\`${name.replace(/_(bucket|count|sum)$/, '')}`));
  expect([...new Set(unknown)]).toEqual([]);
});
