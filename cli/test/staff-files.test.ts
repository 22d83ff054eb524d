import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PASSWORD } from '../../server/test/support/service.ts';
import { linesOf, type Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let admin: Workplace;
let customer: string;
let customers = 0;
beforeAll(async () => {
  bench = await startCliBench();
  admin = bench.work.with({ ACP_API_KEY: '' });
  const email = bench.tenant.admin_email;
  await admin.given(PASSWORD, 'login', '--email', email, '--password-stdin');
});
afterAll(() => bench.stop());
beforeEach(async () => {
  customer = `crew${++customers}@example.com`;
  await bench.work.run('customers', 'create', '--email', customer);
});

const imported = (file: string | Buffer) =>
  admin.given(file, 'staff', 'import', customer, '-f', '-', '--csv');
const crew = async () =>
  (await admin.json<{ staff: Record<string, unknown>[] }>('staff', 'list', customer)).staff;

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const NAMES = 'name,role,certifications\nJosé Łuk,contractor,crane:2030-01-31\n';

it.each<[string, string | Buffer]>([
  ['UTF-8', NAMES],
  ['UTF-8 with a byte order mark', `\uFEFF${NAMES}`],
  [
    'UTF-16, as spreadsheets save "Unicode text"',
    Buffer.from(`\uFEFF${NAMES.replaceAll(',', '\t')}`, 'utf16le'),
  ],
  ['UTF-16 with the other order of bytes', utf16be(`\uFEFF${NAMES}`)],
  ['semicolons', NAMES.replaceAll(',', ';').replaceAll('\n', '\r\n')],
  ['semicolons, which a first line tells', `sep=;\r\n${NAMES.replaceAll(',', ';')}`],
  [
    'quotes, blanks and rows of empty cells',
    '"Name" , "Role","Certifications",\n"José Łuk",contractor,crane:2030-01-31,\n,,,\n',
  ],
])('a file with %s is read', async (_, file) => {
  expect(await imported(file)).toMatchObject({ code: 0, stdout: '1 added, 0 changed\n' });
  expect(await crew()).toMatchObject([
    { name: 'José Łuk', role: 'contractor', certifications: [{ type: 'crane', expires_at: '2030-01-31' }] },
  ]);
});

it.each<[string, string | Buffer, RegExp]>([
  ['an unknown column', 'name,age\nAna,3\n', /unknown column age\nhint: columns: name, /],
  ['a cell of a column without a name', 'name,\nAna,3\n', /unknown column ""/],
  ['a column twice', 'name,role,Role\nAna,,contractor\n', /the column role is there twice/],
  ['a broken line', 'name,role\n"Ana\n', /^error: standard input: /],
  ['a line with more cells', 'name,role\nAna,contractor,3\n', /line 2/],
  ['no row', 'name\n', /names nobody/],
  [
    'bytes of Latin-1',
    Buffer.from('name,role\nAna,\nJosé,\n', 'latin1'),
    /line 3: name: the bytes are not UTF-8/,
  ],
  ['UTF-16 without its mark', Buffer.from(NAMES, 'utf16le'), /line 1: the bytes are not UTF-8/],
])('a file with %s is not imported', async (_, file, message) => {
  expect(await imported(file)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(await crew()).toEqual([]);
});

it('reports each value that is not understood at its line, and imports the other rows', async () => {
  const rows = [
    'name,phone,skills,certifications,inductions,external_id',
    'Ana,,,crane:31.01.2030; first_aid,Pier 4:2030-02-01,E-1',
    'Ben,,,crane:03/04/2030,,E-2',
    'Cat,,,crane:2030-02-30,,E-3',
    'Dan,,,,Pier 4:soon,E-4',
    'Eve,4.91711E+11,,,,E-5',
    'Fay,,"crane, forklift",,,E-6',
    'Gus,,,crane:,,E-1',
  ];
  const outcome = await imported(rows.join('\n'));
  expect([outcome.code, outcome.stdout]).toEqual([1, '1 added, 0 changed\n']);
  expect(linesOf(outcome.stderr).filter((line) => line.startsWith('line'))).toEqual([
    expect.stringMatching(/^line 3 \(Ben\): certifications\.0: .*last colon/),
    expect.stringMatching(/^line 4 \(Cat\): certifications\.0: .*last colon/),
    expect.stringMatching(/^line 5 \(Dan\): inductions\.0: .*last colon/),
    expect.stringMatching(/^line 6 \(Eve\): phone: a spreadsheet has rounded 4\.91711E\+11/),
    expect.stringMatching(/^line 7 \(Fay\): skills: /),
    expect.stringMatching(/^line 8 \(Gus\): external_id: an earlier row has it/),
  ]);
  expect(await crew()).toMatchObject([
    {
      name: 'Ana',
      certifications: [{ type: 'crane', expires_at: '2030-01-31' }, 'first_aid'],
      inductions: [{ site: 'Pier 4', expires_at: '2030-02-01' }],
    },
  ]);
});

it.each([
  [
    'staff',
    ['staff', 'import', 'crew1@example.com'],
    '[{"name": "Ana"}, {"name": "Ben", "phnoe": "1"}]',
    /item 2 .*phnoe/,
  ],
  ['models', ['models', 'import'], '[{"model_id": "a", "cost_input": "1"}]', /model 1 .*cost_input\n/],
])('a list of %s with an unknown field is not imported', async (_, command, list, message) => {
  const outcome = await admin.given(list, ...command, '-f', '-');
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});

it('a flag reads an end as a file does', async () => {
  const add = ['staff', 'add', customer, '--name', 'Ana', '--certification'];
  expect((await bench.work.run(...add, 'crane:03/04/2030')).code).not.toBe(0);
  expect((await bench.work.run(...add, 'crane:2030/01/31')).code).toBe(0);
  expect(await crew()).toMatchObject([{ certifications: [{ type: 'crane', expires_at: '2030-01-31' }] }]);
});

it('no other file is read with bytes that are no text', async () => {
  const recipe = Buffer.from('name: Crew\nsystem_prompt: José\n', 'latin1');
  const outcome = await bench.work.given(recipe, 'recipes', 'apply', '-f', '-');
  expect(outcome).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('line 2: the bytes are not UTF-8'),
  });
});
