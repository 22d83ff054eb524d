import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS, MutantBuild } from './ledger-mutants.ts';

const LEDGER = join(import.meta.dirname, '../bench/dist/ledger/main.js');
const FAULTED_MINUTES = 0.7;
/** So many run at once: each has a database, a service and runtimes. */
const AT_ONCE = 3;
const groups = Array.from({ length: Math.ceil(MUTANTS.length / AT_ONCE) }, (_, index) => ({
  mutants: MUTANTS.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
}));
/** A run of these ends as soon as it has seen enough. */
const MOST_MINUTES = 2;
const KINDS = [
  'accepted answers',
  'answers of agents',
  'answers of persons',
  'approvals',
  'approved calls of tools',
  'budgets',
  'calls of tools',
  'customers',
  'decisions about approvals',
  'deploys',
  'messages of people',
  'outcomes of approvals',
  'recipe revisions',
  'recipes',
  'rows of the record of changes',
  'rows of the record of tool calls',
  'shifts',
  'staff',
  'terminations',
  'texts at the channel',
  'upgrades in place',
  'usage rows',
];

interface Ran {
  code: number | null;
  report: string;
}

function runLedger(options: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const ledger = execFile(process.execPath, [LEDGER, ...options], (_, report, errors) =>
      resolve({ code: ledger.exitCode, report: report + errors }),
    );
  });
}

/** How much there was of a kind; 0 where the report does not name it. */
const numberOf = ({ report }: Ran, kind: string) =>
  Number(new RegExp(`^\\| ${kind} +\\| (\\d+)`, 'm').exec(report)?.[1] ?? 0);

it('keeps everything that it acknowledged, once and in order, through random faults', async () => {
  const seed = process.env.LEDGER_SEED ?? String(randomInt(2 ** 31));
  const ran = await runLedger(['--minutes', String(FAULTED_MINUTES), '--seed', seed]);
  process.stdout.write(`${ran.report}\n`);
  expect(ran.code, ran.report).toBe(0);
  expect(KINDS.filter((kind) => numberOf(ran, kind) === 0)).toEqual([]);
  expect(numberOf(ran, 'recoveries')).toBeGreaterThan(2);
}, 900_000);

/** Options of runs that see no fault but those that a mutant needs. */
const SHORT = ['--minutes', String(MOST_MINUTES), '--patience', '10', '--copies', '1', '--seed', '1'];

it('finds nothing where nothing goes wrong', async () => {
  const enough = 'accepted answers=20,decisions about approvals=3';
  const { code, report } = await runLedger([...SHORT, '--faults', 'none', '--enough', enough]);
  expect(code, report).toBe(0);
}, 600_000);

describe.each(groups)('the ledger', ({ mutants }) => {
  it.concurrent.each(mutants)(
    'notices a service that $name',
    async (mutant) => {
      const build = await MutantBuild.of(mutant);
      const { faults = 'none', enough, finding } = mutant;
      try {
        const options = ['--faults', faults, '--enough', enough, '--main', build.main];
        const { code, report } = await runLedger([...SHORT, ...options]);
        expect(report).toMatch(finding);
        expect(code).toBe(1);
      } finally {
        await build.remove();
      }
    },
    600_000,
  );
});
