import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MasterKeyFile } from '../../src/adapters/master-key-file.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'acp-master-key-file-'));
  path = join(directory, 'master.key');
});
afterEach(() => rm(directory, { recursive: true }));

const hex = (keys: readonly Buffer[]) => keys.map((key) => key.toString('hex'));

describe('the file of the master keys', () => {
  it('is created once, with a random key and mode 0600', async () => {
    const { keys } = await MasterKeyFile.open(directory);
    expect(keys.map(({ length }) => length)).toEqual([32]);
    expect(hex((await MasterKeyFile.open(directory)).keys)).toEqual(hex(keys));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['master.key']);
  });

  it('stores an added key, and then only one key, for the next start', async () => {
    const file = await MasterKeyFile.open(directory);
    const [first] = file.keys;
    const second = randomBytes(32);
    await file.add(second);
    expect(hex((await MasterKeyFile.open(directory)).keys)).toEqual(hex([second, first]));
    await file.keepOnly(second);
    expect(hex((await MasterKeyFile.open(directory)).keys)).toEqual(hex([second]));
  });

  it('is refused and left unchanged when it is damaged', async () => {
    const key = randomBytes(32).toString('base64');
    for (const text of ['', '\n', key.slice(0, 30), `${key}\n${key.slice(2)}\n`, `${key}${key}`]) {
      await writeFile(path, text);
      await expect(MasterKeyFile.open(directory)).rejects.toThrow(/^.*master\.key must hold 32 bytes .+$/);
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  it('deletes temporary files that a killed process left', async () => {
    const { keys } = await MasterKeyFile.open(directory);
    await writeFile(join(directory, 'master.key.0123456789ab'), 'the keys, or half of them');
    await writeFile(join(directory, 'master.key.old'), 'somebody’s own copy');
    expect(hex((await MasterKeyFile.open(directory)).keys)).toEqual(hex(keys));
    expect((await readdir(directory)).toSorted()).toEqual(['master.key', 'master.key.old']);
  });
});
