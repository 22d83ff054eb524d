import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogReader } from '../../src/adapters/process-engine/log-reader.ts';
import { silentLog } from '../support/log.ts';

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acp-logs-'));
  path = join(dataDir, 'runtimes/one.log');
  await mkdir(join(dataDir, 'runtimes'));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Closing a reader reads everything once. */
async function readAll(take: (lines: readonly string[]) => void = () => {}): Promise<string[]> {
  const received: string[] = [];
  const onLines = async (_: string, lines: readonly string[]) => {
    take(lines);
    received.push(...lines);
  };
  await new LogReader({ dataDir, log: silentLog, instances: () => ['one'], onLines }).close();
  return received;
}

const refuse = () => {
  throw new Error('The database is away');
};

it('delivers complete lines, and continues at its position after a restart', async () => {
  await writeFile(path, 'one\ntwo\r\nhal');
  expect(await readAll()).toEqual(['one', 'two']);
  await appendFile(path, 'f\n\nlast\n');
  expect(await readAll()).toEqual(['half', '', 'last']);
  expect(await readAll()).toEqual([]);
});

it('delivers lines again after a rejection', async () => {
  await writeFile(path, 'one\n');
  expect(await readAll(refuse)).toEqual([]);
  expect(await readAll()).toEqual(['one']);
});

it('starts over when the log was truncated', async () => {
  await writeFile(path, 'a long line of before\n');
  await readAll();
  await truncate(path);
  await appendFile(path, 'new\n');
  expect(await readAll()).toEqual(['new']);
});

it('skips output beyond the limit of a read, and reports how much', async () => {
  await writeFile(path, `${'x'.repeat(99)}\n`.repeat(3000));
  const [note, ...lines] = await readAll();
  expect(note).toMatch(/^\(\d+ bytes of output left out\)$/);
  expect(new Set(lines)).toEqual(new Set(['x'.repeat(99)]));
  expect(Number(note?.match(/\d+/)?.[0]) + lines.length * 100).toBe(300_000);
  await appendFile(path, 'y'.repeat(400_000));
  expect((await readAll())[0]).toMatch(/left out/);
  await appendFile(path, 'z\nend\n');
  expect((await readAll()).at(-1)).toBe('end');
});
