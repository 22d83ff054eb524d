import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { type Launch, spawnProgram } from './privileges.ts';
import { clearPostmaster, readPostmasterPid } from './stale-lock.ts';

const READY_POLL_MS = 10;
const FAST_SHUTDOWN_MS = 5_000;
const ATTEMPTS = 5;
const RETRY_MS = 200;
/** Children of a killed postmaster may keep its output open. */
const OUTPUT_ENDS_WITHIN_MS = 1000;

/** Another process took the port, or children of a killed postmaster are still exiting. */
const TRANSIENT =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|"postmaster.pid" already/;

const READY = 'database system is ready to accept connections';

export interface PostmasterOptions {
  /** undefined: any free one. */
  port?: number | undefined;
  directory: string;
  binaries: Binaries;
  launch: Launch;
  settings: Record<string, string>;
  onExit: (reason: string) => void;
  log: (line: string) => void;
}

export interface Postmaster {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** On a port of 127.0.0.1. Resolves when postgres accepts connections, after any recovery. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    await clearPostmaster(options.directory);
    // PostgreSQL cannot listen on port 0.
    const port = options.port ?? (await findFreePort());
    const complaints: string[] = [];
    const child = await spawnPostgres(port, options, complaints);
    const exited = watchExit(child);
    const closed = new Promise((resolve) => child.once('close', resolve));
    if (await becomesReady(child, options.directory)) {
      const complaint = async () => {
        await Promise.race([closed, sleep(OUTPUT_ENDS_WITHIN_MS, undefined, { ref: false })]);
        return complaints.at(-1);
      };
      return supervise(child, exited, { port, complaint }, options);
    }
    // After `close`, all of its output has been read.
    await closed;

    const complaint = complaints.join('\n');
    if (attempt === ATTEMPTS || !TRANSIENT.test(complaint)) {
      const last = complaints.at(-1) ?? (await exited);
      throw new EmbeddedPostgresError(`Cannot start the embedded PostgreSQL: ${last}`);
    }
    await sleep(RETRY_MS);
  }
}

async function spawnPostgres(port: number, options: PostmasterOptions, complaints: string[]) {
  const { directory, binaries, launch } = options;
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // A socket's path has at most 107 bytes, and TCP with a password is enough.
    unix_socket_directories: '',
    // With the backend type (%b), because errors of client backends do not explain an exit.
    log_line_prefix: '%m [%p] %b ',
    ...options.settings,
  };
  const child = spawnProgram(launch, join(binaries.native, 'bin', 'postgres'), [
    '-D',
    directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  // A DETAIL line (such as the required mode of a directory) belongs to the complaint before it.
  let afterComplaint = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    options.log(line);
    // Complaints from before a successful recovery no longer matter.
    if (line.endsWith(READY)) complaints.length = 0;
    const [, kind, message = ''] = / (FATAL|PANIC|DETAIL): +(.*)$/.exec(line) ?? [];
    const isComplaint = kind === 'PANIC' || (kind === 'FATAL' && !line.includes(' client backend FATAL: '));
    if (isComplaint) complaints.push(message);
    else if (kind === 'DETAIL' && afterComplaint) complaints.push(`${complaints.pop()}: ${message}`);
    afterComplaint = isComplaint;
  });
  await once(child, 'spawn');
  return child;
}

function watchExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(`postgres ended with ${signal ?? `code ${code}`}`));
  });
}

/** Without a timeout, because crash recovery may take long. @returns false when postgres exits instead */
async function becomesReady(child: ChildProcess, directory: string) {
  while (child.exitCode === null && child.signalCode === null) {
    const { pid, status } = await readPostmasterPid(directory);
    if (pid === child.pid && status === 'ready') return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}

function supervise(
  child: ChildProcess,
  exited: Promise<string>,
  { port, complaint }: { port: number; complaint: () => Promise<string | undefined> },
  options: PostmasterOptions,
) {
  let stopping: Promise<void> | undefined;
  // Where setpriv is missing, at least a regular exit of this process stops postgres.
  const interrupt = () => void child.kill('SIGINT');
  process.once('exit', interrupt);
  const afterExit = async () => {
    const reason = await exited;
    process.off('exit', interrupt);
    if (stopping !== undefined) return;
    const why = await complaint();
    options.onExit(why === undefined ? reason : `${reason}: ${why}`);
  };
  void afterExit();
  return {
    port,
    stop: () => {
      stopping ??= shutDown(child, exited);
      return stopping;
    },
  };
}

/** SIGINT is a fast shutdown (with a checkpoint), SIGQUIT an immediate one (the next start recovers). */
async function shutDown(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
  await exited;
  clearTimeout(timer);
}
