import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { say } from '../say.ts';
import { runLedger } from './run.ts';
import { isClean, tablesOf } from './table.ts';

function readOptions(args: string[]): { seconds: number; seed: number } {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new TypeError('--minutes has to be a number above 0');
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(seed) || seed < 0) throw new TypeError('--seed has to be a whole number from 0 on');
  return { seconds: minutes * 60, seed };
}

const { seconds, seed } = readOptions(process.argv.slice(2));
const began = Date.now();
const sayWhen = (line: string) =>
  say(`${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s  ${line}`);
say(`Seed ${seed}`);
const report = await runLedger({ seconds, seed, say: sayWhen });
say(`\n${tablesOf(report)}\n\nSeed ${seed}`);
if (!isClean(report)) process.exitCode = 1;
