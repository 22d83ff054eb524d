import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import type { LedgerOptions } from './run.ts';

/** The build's, also where this file is run from its source. */
const MAIN = join(import.meta.dirname, '../../../server/dist/main.js');
/** Longer than a message waits for the channel's notice after a crash, and twice. */
const PATIENCE_SECONDS = 240;
/** From so many minutes on there are two copies where nothing is said. */
const LONG_MINUTES = 5;

/** The options of the command. Throws with one line that names a wrong one. */
export function readOptions(args: string[]): Omit<LedgerOptions, 'say'> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '20' },
      seed: { type: 'string' },
      copies: { type: 'string' },
      main: { type: 'string', default: MAIN },
      faults: { type: 'string', default: FAULTS.map(({ name }) => name).join(',') },
      enough: { type: 'string', default: '' },
      patience: { type: 'string', default: String(PATIENCE_SECONDS) },
    },
  });
  const minutes = positive('minutes', values.minutes);
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(seed) || seed < 0) throw new TypeError('--seed has to be a whole number from 0 on');
  return {
    seconds: minutes * 60,
    seed,
    copies: positive('copies', values.copies ?? (minutes >= LONG_MINUTES ? '2' : '1')),
    main: resolve(values.main),
    faults: faultsIn(values.faults),
    enough: Object.fromEntries(listIn(values.enough).map(enoughIn)),
    patienceSeconds: positive('patience', values.patience),
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new TypeError(`--${name} has to be a number above 0`);
  return number;
}

const listIn = (text: string) => text.split(',').filter((part) => part !== '');

function faultsIn(text: string): string[] {
  const names = text === 'none' ? [] : listIn(text);
  const unknown = names.find((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown !== undefined) throw new TypeError(`--faults: there is no fault ${unknown}`);
  return names;
}

function enoughIn(part: string): [string, number] {
  const [kind = '', count = ''] = part.split('=');
  return [kind, positive('enough', count)];
}
