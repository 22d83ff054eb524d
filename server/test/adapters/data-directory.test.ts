import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataDirectoryInUseError, lockDataDirectory } from '../../src/adapters/data-directory.ts';
import { type Child, compileAdapters, startChild } from '../support/child-process.ts';

/** Locks the directory and prints the outcome; with a second argument it keeps the process alive. */
const SCRIPT = `
import { lockDataDirectory } from './out/data-directory.js';
try {
  await lockDataDirectory(process.argv[2]);
  console.log('locked');
  if (process.argv[3] === 'stay') process.stdin.resume();
} catch (error) {
  console.log(error.name + ': ' + error.message);
}
`;

let place: string;
const children: Child[] = [];

beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'data-directory-')));
  await compileAdapters(place, ['data-directory.ts']);
  await writeFile(join(place, 'lock.js'), SCRIPT);
});

afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await rm(place, { recursive: true, force: true });
});

function lockInChild(directory: string, ...args: string[]): Child {
  const child = startChild(process.execPath, [join(place, 'lock.js'), directory, ...args]);
  children.push(child);
  return child;
}

test('a missing directory is created with mode 0700', async () => {
  const lock = await lockDataDirectory(join(place, 'fresh', 'data'));
  expect((await stat(join(place, 'fresh', 'data'))).mode & 0o777).toBe(0o700);
  await lock.release();
});

test('a second process is refused until release, in one line that names the directory', async () => {
  const directory = join(place, 'shared');
  const lock = await lockDataDirectory(directory);
  expect(await lockInChild(directory).nextLine()).toBe(
    `DataDirectoryInUseError: DATA_DIR ${directory} is in use by another process (pid ${process.pid}); stop it or choose another DATA_DIR`,
  );
  await lock.release();
  expect(await lockInChild(directory).nextLine()).toBe('locked');
});

test('a link to a locked directory is refused too, also with a long path', async () => {
  const directory = join(place, 'd'.repeat(120));
  const lock = await lockDataDirectory(directory);
  const otherName = join(place, 'other-name');
  await symlink(directory, otherName);
  await expect(lockDataDirectory(otherName)).rejects.toThrow(DataDirectoryInUseError);
  const neighbour = await lockDataDirectory(`${directory}2`);
  await neighbour.release();
  await lock.release();
});

test('kill -9 of the holder frees the directory', async () => {
  const directory = join(place, 'killed');
  const holder = lockInChild(directory, 'stay');
  expect(await holder.nextLine()).toBe('locked');
  await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryInUseError);
  holder.process.kill('SIGKILL');
  await holder.exited;
  const lock = await lockDataDirectory(directory);
  await lock.release();
});

test('the lock does not keep a process alive', async () => {
  const child = lockInChild(join(place, 'idle'));
  expect(await child.nextLine()).toBe('locked');
  await child.exited;
  expect(child.process.exitCode).toBe(0);
});

test('a holder that says no pid is only said to hold it', async () => {
  const directory = join(place, 'silent');
  const lock = await lockDataDirectory(directory);
  await lock.release();
  const name = `\0agent-control-plane:${createHash('sha256').update(directory).digest('hex')}`;
  const stranger = createServer((socket) => socket.end('not a number')).listen({ path: name });
  await once(stranger, 'listening');
  await expect(lockDataDirectory(directory)).rejects.toThrow(/in use by another process; stop it/);
  stranger.close();
});

const inNamespace = (command: string) => ['-rm', 'sh', '-c', command] as const;
const canMount = spawnSync('unshare', inNamespace('mount -t tmpfs none /tmp')).status === 0;

test.runIf(canMount).each([
  ['ro', 'data', 'cannot be a folder: the file system is read-only (EROFS)'],
  ['ro', '', 'cannot be written to: the file system is read-only (EROFS)'],
  ['nr_inodes=1', 'data', 'cannot be a folder: the disk is full (ENOSPC)'],
])('a file system mounted with %s says why %j there is refused', async (option, name, reason) => {
  const mounted = join(place, 'mounted');
  await mkdir(mounted, { recursive: true });
  const directory = join(mounted, name);
  const command = `mount -t tmpfs -o ${option} none ${mounted} && exec ${process.execPath} ${place}/lock.js ${directory}`;
  const child = startChild('unshare', [...inNamespace(command)]);
  children.push(child);
  expect(await child.nextLine()).toContain(`DATA_DIR ${directory.replace(/\/$/, '')} ${reason}`);
});
