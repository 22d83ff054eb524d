import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorCode } from './error.ts';

const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 5_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * Makes way for a new postmaster: stops one that still serves this cluster (its parent was killed), and deletes a
 * postmaster.pid whose process is gone. Only for the holder of the data directory's lock.
 *
 * PostgreSQL itself asks no more than whether the number is in use, so a zombie that nobody reaps, or a stranger
 * with the same number after a reboot or in a new container, would stop every start.
 */
export async function clearPostmaster(directory: string): Promise<void> {
  const { pid } = await readPostmasterPid(directory);
  if (pid === undefined) return;
  if (await serves(pid, directory)) await stopPostmaster(pid, directory);
  await rm(join(directory, 'postmaster.pid'), { force: true });
}

/** What postmaster.pid says: the process, and its state (`starting`, `ready`, `stopping`); both may be missing. */
export async function readPostmasterPid(directory: string): Promise<{ pid?: number; status?: string }> {
  const lines = (await readOrEmpty(join(directory, 'postmaster.pid'))).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return {};
  const status = lines[7]?.trim();
  return status === undefined ? { pid } : { pid, status };
}

/**
 * Whether this live process is a postmaster of this directory: its command line names the directory, or it works
 * there. A zombie has neither command line nor working directory.
 */
export async function serves(pid: number, directory: string): Promise<boolean> {
  const commandLine = (await readOrEmpty(`/proc/${pid}/cmdline`)).split('\0');
  if (commandLine.includes(directory)) return true;
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingDirectory === directory;
}

async function stopPostmaster(pid: number, directory: string): Promise<void> {
  const steps = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') break;
    }
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (!(await serves(pid, directory))) return;
      await sleep(POLL_MS);
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL process ${pid} still serves ${directory} and does not stop: stop it, then start again`,
  );
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
