import { randomUUID } from 'node:crypto';
import type { Recipe } from '@agent-control-plane/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { linesOf } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
beforeAll(async () => {
  bench = await startCliBench();
});
afterAll(() => bench.stop());

/** With values that are hard to write as YAML. */
const FULL = {
  name: 'yes',
  description: '  1.0  ',
  is_active: true,
  hosting_mode: 'shared',
  shared_node_capacity: 12,
  system_prompt: 'First line\n\n  - "second": \'line\' #\ttab\u00a0\r\n\u0007 café 👩🏽‍🚀 null\n\n',
  manifest_id: '0x1F',
  skills: [
    'staff_query',
    {
      slug: 'timesheet',
      pin_required: true,
      nothing: null,
      number: 1.5e-7,
      long: 123_456_789_012_345_680_000,
    },
  ],
  channel_types: ['chatapp'],
  channel_config: { 'a: b': { '~': [true, false, null, 0, -1, 'true', '2026-01-31', '', ' '] } },
  connection_requirements: [{ provider: 'google_drive', optional: true }],
  mcp_servers: ['*alias', '&anchor', '!tag', '%'],
  workflow_slugs: ['<<'],
  sidecars: [{ name: 'side', port: 80, health: '/' }],
  trigger_templates: [],
  model_policy: { z: 1, a: 2, __proto__x: 3 },
  voice_config: {},
  onboarding_flow_id: randomUUID(),
};

const recipe = (id: string) => bench.work.json<Recipe>('recipes', 'get', id);

describe('recipes apply', () => {
  it('creates a recipe, then leaves it unchanged, then changes the given fields', async () => {
    const { work } = bench;
    await work.write('r.yaml', 'name: Desk\nsystem_prompt: Hello\nskills: [staff_query]\n');
    const made = await work.run('recipes', 'apply', '-f', 'r.yaml');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n\+system_prompt: Hello\n/) });
    const [, id = ''] = /created: Desk \((\S+)\)/.exec(made.stdout) ?? [];
    expect(await recipe(id)).toMatchObject({ name: 'Desk', skills: ['staff_query'], revision: 1 });

    const again = await work.run('recipes', 'apply', '-f', 'r.yaml');
    expect(again).toMatchObject({ code: 0, stdout: `unchanged: Desk (${id})\n` });
    expect((await recipe(id)).revision).toBe(1);

    const changed = await work.given('name: Desk\nsystem_prompt: Good day\n', 'recipes', 'apply', '-f', '-');
    expect(changed.stdout).toMatch(/-system_prompt: Hello\n\+system_prompt: Good day\nupdated: Desk/);
    expect(await recipe(id)).toMatchObject({
      system_prompt: 'Good day',
      skills: ['staff_query'],
      revision: 2,
    });
  });

  it('accepts several documents, lists, JSON, ids, null, and read-only fields of the API', async () => {
    const { work } = bench;
    const made = await work.given(
      'name: One\ndescription: x\n---\nname: Two\nis_active: false\n',
      'recipes',
      'apply',
      '-f',
      '-',
      '--json',
    );
    const [one, two] = linesOf(made.stdout).map((line) => JSON.parse(line) as Recipe);
    expect([one, two]).toMatchObject([
      { action: 'created', name: 'One' },
      { action: 'created', name: 'Two' },
    ]);
    expect(await recipe(two?.id ?? '')).toMatchObject({ is_active: false });
    const whole = await recipe(one?.id ?? '');
    const list = JSON.stringify([
      { ...whole, name: 'Uno', description: null, hosting_mode: null },
      { id: two?.id, is_active: true },
    ]);
    const changed = await work.given(list, 'recipes', 'apply', '-f', '-', '--json');
    expect(linesOf(changed.stdout).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        action: 'updated',
        id: one?.id,
        name: 'Uno',
        revision: 2,
        changes: [
          { field: 'name', from: 'One', to: 'Uno' },
          { field: 'description', from: 'x', to: null },
        ],
      },
      { action: 'updated', id: two?.id, changes: [{ field: 'is_active', from: false, to: true }] },
    ]);
  });

  it('with --dry-run changes nothing', async () => {
    const { work } = bench;
    const outcome = await work.given('name: Never\n', 'recipes', 'apply', '-f', '-', '--dry-run');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^would be created: Never$/m) });
    expect((await work.run('recipes', 'get', 'Never')).code).toBe(4);
  });

  const flood = (depth: number): string =>
    depth === 0
      ? 'a0: &a0 [x]\n'
      : `${flood(depth - 1)}a${depth}: &a${depth} [${`*a${depth - 1},`.repeat(10)}]\n`;

  it.each([
    ['an unknown field', 'name: A\nsytem_prompt: x', /a recipe has no field sytem_prompt/],
    ['invalid YAML', 'name: [', /standard input: Flow sequence/],
    ['a tag', 'name: !secret x', /Unresolved tag/],
    ['a recipe twice', 'name: Never', /document 2: "Never" is there twice/],
    ['a recipe without id and name', 'description: x', /neither id nor name/],
    ['a name that YAML reads as a number', 'name: 2026', /its name is not text: put it in quotes/],
    ['a malformed id', 'id: ..', /its id is not a UUID/],
    ['a value that is not a recipe', '- 7', /document 2\[0\]: expected a recipe/],
    ['a number that JSON lacks', 'name: A\nmodel_policy: {x: .inf}', /JSON has no number Infinity/],
    ['too many aliases', flood(5), /Excessive alias count/],
  ])('refuses %s before anything is changed', async (_what, text, message) => {
    const { work } = bench;
    const outcome = await work.given(`name: Never\n---\n${text}\n`, 'recipes', 'apply', '-f', '-');
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(linesOf(outcome.stderr).length).toBeLessThan(3);
  });

  it('changes nothing after a refusal, and refuses an empty file', async () => {
    const { work } = bench;
    expect((await work.run('recipes', 'get', 'Never')).code).toBe(4);
    expect(await work.given('---\n', 'recipes', 'apply', '-f', '-')).toMatchObject({ code: 2 });
    expect(await work.run('recipes', 'apply', '-f', 'none.yaml')).toMatchObject({
      code: 2,
      stderr: 'error: none.yaml cannot be read (ENOENT)\n',
    });
  });

  it('shows each error of the API with its field', async () => {
    const outcome = await bench.work.given(
      'name: A\nskills: x\nshared_node_capacity: 0\n',
      'recipes',
      'apply',
      '-f',
      '-',
    );
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/^error: standard input: the request is not valid$/m);
    expect(outcome.stderr).toMatch(/^ {2}body\.skills: /m);
    expect(outcome.stderr).toMatch(/^ {2}body\.shared_node_capacity: /m);
  });

  it('shows what nothing will act on', async () => {
    const { work } = bench;
    const file = await work.write(
      'v.yaml',
      'name: Void\nskills: [staff_qery]\ntrigger_templates: [{name: t, schedule: every day at 9, to: x, prompt: Hi}]\n',
    );
    const applied = await work.run('recipes', 'apply', '-f', file, '-q');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toMatch(/^violation: \/skills\/0: .*staff_qery.*did you mean "staff_query"/m);
    expect(applied.stdout).toMatch(/^violation: .*schedule/m);
    const again = await work.json<{ violations: object[] }>('recipes', 'apply', '-f', file, '--dry-run');
    expect(again.violations).toContainEqual(expect.objectContaining({ path: '/skills/0' }));
  });

  it('guesses which field was meant', async () => {
    expect(await bench.work.given('name: F\nskils: []\n', 'recipes', 'apply', '-f', '-')).toMatchObject({
      code: 2,
      stderr: 'error: standard input: a recipe has no field skils\nhint: did you mean skills?\n',
    });
  });

  it('names the document that the server refused, after applying those before it', async () => {
    const { work } = bench;
    const outcome = await work.given(
      'name: Done\n---\nname: Refused\nskills: x\n',
      'recipes',
      'apply',
      '-f',
      '-',
    );
    expect(outcome).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^created: Done /m),
      stderr: expect.stringMatching(
        /^error: standard input, document 2: the request is not valid\n {2}body\.skills: /m,
      ),
    });
  });

  it('refuses an ambiguous name and an unknown id', async () => {
    const { work, tenant } = bench;
    await tenant.api.post('/v1/recipes', { name: 'Twin' });
    await tenant.api.post('/v1/recipes', { name: 'Twin' });
    expect(await work.given('name: Twin\n', 'recipes', 'apply', '-f', '-')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/2 recipes have the name "Twin"\nhint: add one of the ids: \S+, \S+/),
    });
    const id = randomUUID();
    expect(await work.given(`id: ${id}\n`, 'recipes', 'apply', '-f', '-')).toMatchObject({ code: 4 });
  });
});

describe('recipes export', () => {
  it('then apply changes nothing, whatever the recipe holds', async () => {
    const { work } = bench;
    const made = await work.given(JSON.stringify(FULL), 'recipes', 'apply', '-f', '-', '--json');
    expect(made).toMatchObject({ code: 0 });
    const { id } = JSON.parse(made.stdout) as Recipe;
    expect(await recipe(id)).toMatchObject({ ...FULL, revision: 1 });
    const exported = await work.run('recipes', 'export', id);
    expect(exported.stdout).toMatch(/^id: \S+\nname: "yes"\n/);
    await work.write('e.yaml', exported.stdout);
    expect(await work.run('recipes', 'diff', '-f', 'e.yaml')).toMatchObject({ code: 0, stdout: '' });
    expect(await work.run('recipes', 'apply', '-f', 'e.yaml')).toMatchObject({
      stdout: expect.stringMatching(new RegExp(`^unchanged: yes \\(${id}\\)$`, 'm')),
    });
    expect((await recipe(id)).revision).toBe(1);
  });

  it('leaves out unset fields', async () => {
    const { work } = bench;
    await work.given('name: Bare\n', 'recipes', 'apply', '-f', '-');
    const exported = await work.json<object>('recipes', 'export', 'Bare', '--no-id');
    const defaults = { is_active: true, hosting_mode: 'dedicated', shared_node_capacity: 50 };
    expect(exported).toEqual({ name: 'Bare', ...defaults });
    const unset = Object.keys(FULL).filter((field) => !Object.hasOwn(exported, field));
    const file = { name: 'Bare', ...Object.fromEntries(unset.map((field) => [field, null])) };
    expect(await work.given(JSON.stringify(file), 'recipes', 'diff', '-f', '-')).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  it('creates the same recipe in another tenant', async () => {
    const { work, service } = bench;
    const { stdout } = await work.run('recipes', 'export', 'yes', '--no-id', '--json');
    const other = await service.createTenant();
    const there = work.with({ ACP_API_KEY: other.key });
    await work.write('e.json', stdout);
    expect(await there.run('recipes', 'apply', '-f', 'e.json')).toMatchObject({ code: 0 });
    expect(await there.run('recipes', 'diff', '-f', 'e.json')).toMatchObject({ code: 0, stdout: '' });
    expect(await there.json('recipes', 'get', 'yes')).toMatchObject(FULL);
  });
});

describe('recipes diff', () => {
  it('exits with 1 and shows the changed lines', async () => {
    const { work } = bench;
    const prompt = Array.from({ length: 20 }, (_, at) => `Line ${at}`);
    await work.given(
      stringify({ name: 'Long', system_prompt: prompt.join('\n') }),
      'recipes',
      'apply',
      '-f',
      '-',
    );
    const file = await work.write(
      'long.yaml',
      stringify({ name: 'Long', system_prompt: prompt.with(10, 'Another').join('\n') }),
    );
    const { code, stdout } = await work.run('recipes', 'diff', '-f', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^--- Long, revision 1\n\+\+\+ long\.yaml\n@@ .* @@\n/);
    expect(linesOf(stdout).filter((line) => /^[-+] /.test(line))).toEqual(['-  Line 10', '+  Another']);
    const forPrograms = await work.run('recipes', 'diff', '-f', file, '--json');
    expect(forPrograms.code).toBe(1);
    expect(JSON.parse(forPrograms.stdout)).toMatchObject({
      name: 'Long',
      changes: [{ field: 'system_prompt' }],
    });
  });

  it('exits with 1 for a missing recipe, also without fields', async () => {
    expect(await bench.work.given('name: Nowhere\n', 'recipes', 'diff', '-f', '-')).toMatchObject({
      code: 1,
    });
  });
});

describe('the other commands on recipes', () => {
  it('list, show and restore revisions, and delete', async () => {
    const { work } = bench;
    const write = (text: string) =>
      work.given(`name: Changing\ndescription: ${text}\n`, 'recipes', 'apply', '-f', '-');
    await write('first');
    await write('second');
    const { stdout } = await work.run('recipes', 'list');
    expect(stdout).toMatch(/^ID +NAME +REVISION/);
    expect(stdout).toMatch(/ Changing +2 +dedicated +active /);
    const { items } = await work.json<{ items: Recipe[] }>('recipes', 'revisions', 'Changing');
    expect(items.map(({ revision }) => revision)).toEqual([2, 1]);
    expect((await work.run('recipes', 'revisions', 'Changing', '--per-page', '1')).stderr).toMatch(
      /1 of 2; use --page 2/,
    );
    const restored = await work.json<Recipe>('recipes', 'restore', 'Changing', '1');
    expect(restored).toMatchObject({ description: 'first', revision: 3 });
    expect(await work.run('recipes', 'restore', 'Changing', '0')).toMatchObject({ code: 2 });
    expect(await work.run('recipes', 'restore', 'Changing', '99')).toMatchObject({ code: 4 });
    expect(await work.run('recipes', 'delete', restored.id)).toMatchObject({ code: 0, stdout: '' });
    expect(await work.run('recipes', 'get', restored.id)).toMatchObject({ code: 4, stdout: '' });
  });
});
