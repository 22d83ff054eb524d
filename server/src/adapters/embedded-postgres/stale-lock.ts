import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorCode } from './error.ts';

const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 5_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * Stops an orphaned postmaster of this cluster and deletes a stale postmaster.pid. The caller holds the data directory's
 * lock.
 *
 * PostgreSQL itself only checks if the pid is in use, so an unreaped zombie or an unrelated process with the same pid
 * (after a reboot, in a new container) would block every start.
 */
export async function clearPostmaster(directory: string): Promise<void> {
  const { pid } = await readPostmasterPid(directory);
  if (pid === undefined) return;
  if (await serves(pid, directory)) await stopPostmaster(pid, directory);
  await rm(join(directory, 'postmaster.pid'), { force: true });
}

/** From postmaster.pid. The status is `starting`, `ready` or `stopping`. */
export async function readPostmasterPid(directory: string): Promise<{ pid?: number; status?: string }> {
  const lines = (await readOrEmpty(join(directory, 'postmaster.pid'))).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return {};
  const status = lines[7]?.trim();
  return status === undefined ? { pid } : { pid, status };
}

/** True when the process's command line or working directory is the cluster's. A zombie has neither. */
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
  for (const [signal, timeoutMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') break;
    }
    const deadline = performance.now() + timeoutMs;
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
