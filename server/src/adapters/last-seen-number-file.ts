import { join } from 'node:path';
import type { LastSeenNumber } from '../platform/restore-detector.port.ts';
import { readIfThere, writeSecretFile } from './secret-files.ts';

/** In the data directory. */
export class LastSeenNumberFile implements LastSeenNumber {
  readonly #path: string;

  constructor(data_dir: string) {
    this.#path = join(data_dir, 'database-number');
  }

  async read(): Promise<number | undefined> {
    const number = Number.parseInt((await readIfThere(this.#path)) ?? '', 10);
    return Number.isNaN(number) ? undefined : number;
  }

  write(number: number): Promise<void> {
    return writeSecretFile(this.#path, `${number}\n`);
  }
}
