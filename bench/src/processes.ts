import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

interface Launch {
  command: string;
  args: readonly string[];
  cwd?: string;
  environment?: Readonly<Record<string, string>>;
  log: string;
  uid?: number;
  gid?: number;
}

const living = new Set<ChildProcess>();
// No child outlives this process. SIGINT is PostgreSQL's fast shutdown.
process.on('exit', () => {
  for (const child of living) child.kill('SIGINT');
});

/** The environment is empty but for PATH and LD_PRELOAD, so that all or none have it. */
export class Process {
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #ended: Promise<unknown>;

  constructor({ command, args, cwd, environment, log, uid, gid }: Launch) {
    const file = openSync(log, 'a');
    const { PATH, LD_PRELOAD } = process.env;
    this.#log = log;
    this.#child = spawn(command, args, {
      cwd,
      env: { PATH, ...(LD_PRELOAD !== undefined && { LD_PRELOAD }), ...environment },
      stdio: ['ignore', file, file],
      ...(uid !== undefined && { uid, gid }),
    });
    closeSync(file);
    living.add(this.#child);
    this.#ended = once(this.#child, 'exit')
      .catch(() => undefined)
      .finally(() => living.delete(this.#child));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** The exit code or the signal, once it has ended. */
  get exit(): string {
    return String(this.#child.exitCode ?? this.#child.signalCode);
  }

  /** The last line of its log. */
  get lastWords(): string {
    return readFileSync(this.#log, 'utf8').trim().split('\n').at(-1) ?? '';
  }

  /** Rejects with the end of the log when the process ends first. */
  async ready(isReady: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(50)) {
      if (this.hasEnded) break;
      if (await isReady()) return;
    }
    await this.stop();
    const tail = readFileSync(this.#log, 'utf8').trim().split('\n').slice(-15).join('\n');
    throw new Error(`${this.#child.spawnargs.join(' ')} did not become ready:\n${tail}`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return;
    this.#child.kill(signal);
    const forced = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(forced);
  }
}
