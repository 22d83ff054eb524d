import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runLedger } from '../bench/src/ledger/run.ts';
import { tablesOf } from '../bench/src/ledger/table.ts';

it('keeps everything that it acknowledged, once and in order, through random faults', async () => {
  const seed = Number(process.env.LEDGER_SEED ?? randomInt(2 ** 31));
  const lines = [`Seed ${seed}`];
  const report = await runLedger({ seconds: 40, seed, say: (line) => lines.push(line) });
  const account = `${lines.join('\n')}\n\n${tablesOf(report)}`;
  process.stdout.write(`${account}\n`);
  expect(report.book.findings, account).toEqual([]);
  expect(report.book.wrongAnswers, account).toEqual([]);
  expect(report.book.strikes.length).toBeGreaterThan(2);
  const written = report.book.kinds().filter(({ acknowledged }) => acknowledged > 0);
  expect(written.map(({ kind }) => kind).toSorted()).toEqual([
    'accepted answers',
    'answers of persons',
    'budgets',
    'customers',
    'deploys',
    'messages of people',
    'recipe revisions',
    'recipes',
    'shifts',
    'staff',
    'terminations',
    'texts at the channel',
  ]);
}, 600_000);
