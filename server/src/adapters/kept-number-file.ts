import { join } from 'node:path';
import type { KeptNumber } from '../platform/restored.port.ts';
import { readIfThere, writeSecretFile } from './secret-files.ts';

/** Keeps the database's number in the data directory. */
export class KeptNumberFile implements KeptNumber {
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
