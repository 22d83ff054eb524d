import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/** A program's clock that can be stepped. */
export interface Clock {
  environment: Readonly<Record<string, string>>;
  /** @param seconds ahead of the machine's */
  set(seconds: number): Promise<void>;
}

const library = () => [process.env.LEDGER_FAKETIME ?? '', ...LIBRARIES].find((path) => existsSync(path));

/** The library reads the file at each call of the clock, so a step takes effect at once. @returns undefined without it */
export async function prepareClock(file: string): Promise<Clock | undefined> {
  const preloaded = library();
  if (preloaded === undefined) return undefined;
  const set = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  await set(0);
  const environment = {
    LD_PRELOAD: preloaded,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { environment, set };
}
