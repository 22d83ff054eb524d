import { say } from '../say.ts';
import { readOptions } from './options.ts';
import { runLedger } from './run.ts';
import { isClean, tablesOf } from './table.ts';

const options = readOptions(process.argv.slice(2));
const { seed } = options;
const began = Date.now();
const sayWhen = (line: string) =>
  say(`${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s  ${line}`);
say(`Seed ${seed}`);
const report = await runLedger({ ...options, say: sayWhen });
say(`\n${tablesOf(report)}\n\nSeed ${seed}`);
if (!isClean(report)) process.exitCode = 1;
