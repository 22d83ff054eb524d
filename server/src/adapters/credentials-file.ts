import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeSecretFile } from './secret-files.ts';

/**
 * DATA_DIR/credentials.json of a new embedded installation (contract, section 2). The file appears once the server
 * answers, so its addresses work as soon as it exists; until then credentials.untried.json holds them.
 */
export class CredentialsFile<Credentials extends object> {
  readonly path: string;
  readonly #untriedPath: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'credentials.json');
    this.#untriedPath = join(dataDir, 'credentials.untried.json');
  }

  /** @returns undefined at the first start or when the file was lost; throws a one-line error when it is not JSON */
  async read(): Promise<Credentials | undefined> {
    // After an interrupted first start, credentials.json may belong to an earlier database.
    return (await readJson<Credentials>(this.#untriedPath)) ?? (await readJson<Credentials>(this.path));
  }

  /** Call it before the first use, so that a kill loses nothing. */
  keep(credentials: Credentials): Promise<void> {
    return writeSecretFile(this.#untriedPath, `${JSON.stringify(credentials, null, 2)}\n`);
  }

  /** Call it once the server answers. */
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
    throw new Error(`${path} is not valid JSON: repair it or move it away`);
  }
}
