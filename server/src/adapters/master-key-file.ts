import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MasterKeyStore } from '../secrets/master-key-store.port.ts';
import { readIfThere, writeSecretFile } from './secret-files.ts';

const FILE = 'master.key';

/**
 * DATA_DIR/master.key of an embedded installation: one base64 key per line, the wrapping key first, more lines only
 * during a rotation. The caller holds the data directory's lock.
 */
export class MasterKeyFile implements MasterKeyStore {
  readonly #path: string;
  #keys: readonly [Buffer, ...Buffer[]];

  private constructor(path: string, keys: readonly [Buffer, ...Buffer[]]) {
    this.#path = path;
    this.#keys = keys;
  }

  /** Creates a key when there is none; throws a one-line error when the file is damaged. */
  static async open(dataDir: string): Promise<MasterKeyFile> {
    const path = join(dataDir, FILE);
    await removeUnfinished(dataDir);
    const text = await readIfThere(path);
    if (text !== undefined) return new MasterKeyFile(path, parse(path, text));
    const file = new MasterKeyFile(path, [randomBytes(32)]);
    await file.#write(file.keys);
    return file;
  }

  /** The wrapping key first. */
  get keys(): readonly [Buffer, ...Buffer[]] {
    return this.#keys;
  }

  add(key: Buffer): Promise<void> {
    return this.#write([key, ...this.#keys]);
  }

  keepOnly(key: Buffer): Promise<void> {
    return this.#write([key]);
  }

  async #write(keys: readonly [Buffer, ...Buffer[]]): Promise<void> {
    await writeSecretFile(this.#path, keys.map((key) => `${key.toString('base64')}\n`).join(''));
    this.#keys = keys;
  }
}

function parse(path: string, text: string): [Buffer, ...Buffer[]] {
  const lines = text.trim().split('\n');
  const [first, ...others] = lines.map((line) => Buffer.from(line, 'base64'));
  if (!first || !lines.every((line) => /^[A-Za-z0-9+/]{43}=$/.test(line))) {
    throw new Error(`${path} must hold 32 bytes in base64 on each line`);
  }
  return [first, ...others];
}

/** A process that was killed while writing leaves temporary files, which hold keys. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (/^master\.key\.[0-9a-f]{12}$/.test(name)) await rm(join(dataDir, name));
  }
}
