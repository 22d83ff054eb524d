import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeSecretFile } from './secret-files.ts';

/**
 * What a new embedded installation is used with: DATA_DIR/credentials.json (contract, section 2). Until the server
 * answers new ones are in a file of another name: who waits for credentials.json finds addresses in it.
 */
export class CredentialsFile<Credentials extends object> {
  readonly path: string;
  readonly #untriedPath: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'credentials.json');
    this.#untriedPath = join(dataDir, 'credentials.untried.json');
  }

  /** @returns undefined at the first start, and where they are lost. Throws one line for what is not JSON. */
  async read(): Promise<Credentials | undefined> {
    // Where a start did not get to its end, those beside them may be of a database that is no more.
    return (await readJson<Credentials>(this.#untriedPath)) ?? (await readJson<Credentials>(this.path));
  }

  /** Before they are used, so that a start that is killed in between loses nothing. */
  keep(credentials: Credentials): Promise<void> {
    return writeSecretFile(this.#untriedPath, `${JSON.stringify(credentials, null, 2)}\n`);
  }

  /** Once the server answers. */
  async publish(credentials: Credentials): Promise<void> {
    await this.keep(credentials);
    await rename(this.#untriedPath, this.path);
  }
}

async function readJson<Content>(path: string): Promise<Content | undefined> {
  const text = await readIfThere(path);
  if (!text) return undefined;
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new Error(`${path} has to be JSON: put it right, or move it away`);
  }
}
