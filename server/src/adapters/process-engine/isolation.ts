import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../platform/ports.ts';
import { LaunchFailure } from './failure.ts';
import { inherited } from './spawn.ts';
import { absoluteProgram, filesOf, visiblePaths } from './visible-paths.ts';

const SCRIPT = join(import.meta.dirname, '../../../confine-runtime.sh');
const TRY_WITHIN_MS = 10_000;
const READS_ALL = 'for file; do [ -r "$file" ] || { echo "missing: the file $file" >&2; exit 70; }; done';

/** `required`: no runtime starts without isolation; `preferred`: it starts, and the service says so. */
export type IsolationMode = 'required' | 'preferred' | 'none';

export type IsolationState = 'on' | 'off' | `missing: ${string}`;

export interface IsolationOptions {
  mode: IsolationMode;
  /** A runtime is to see nothing of it but its own STATE_DIR. */
  dataDir: string;
  /** Directories beside it of which a runtime is to see nothing. */
  hidden: readonly string[];
  log: Log;
}

/** Runs a program as a runtime that sees nothing of the service or of other runtimes: see the script. */
export class Isolation {
  readonly #command: readonly string[];
  readonly #options: IsolationOptions;
  #trial: Promise<string | undefined> | undefined;
  #missing: string | undefined;

  constructor(command: readonly string[], options: IsolationOptions) {
    this.#command = command;
    this.#options = options;
  }

  get isOff(): boolean {
    return this.#options.mode === 'none';
  }

  /** The part that the last trial found missing; undefined: none. */
  get missing(): string | undefined {
    return this.#missing;
  }

  /**
   * The program and its arguments. Whether the system allows the isolation is tried when it is first needed, and again
   * while it does not: it may have been a full disk. Rejects where it is required and impossible.
   * @param cgroups directories of control groups to join
   */
  async command(cgroups: readonly string[]): Promise<readonly string[]> {
    if (this.isOff) return this.#command;
    if (!(await this.isPossible())) {
      if (this.#options.mode === 'preferred') return this.#command;
      throw new LaunchFailure('spec_rejected', `Runtimes cannot be isolated: missing ${this.#missing}`);
    }
    const [program = '', ...args] = this.#command;
    const prefix = await this.#prefix();
    return ['sh', SCRIPT, ...each('--cgroup', cgroups), ...prefix, await absoluteProgram(program), ...args];
  }

  async isPossible(): Promise<boolean> {
    const trial = (this.#trial ??= this.#try());
    const missing = await trial;
    if (missing !== undefined && this.#trial === trial) this.#trial = undefined;
    if (missing !== undefined && missing !== this.#missing) {
      const { mode, log } = this.#options;
      const effect =
        mode === 'required' ? 'no runtime starts' : 'one that is taken over can read all secrets';
      log.warn({ missing }, `runtimes are not isolated: ${effect}`);
    }
    this.#missing = missing;
    return missing === undefined;
  }

  async #prefix(): Promise<string[]> {
    const shown = await visiblePaths(this.#command);
    return [...each('--show', shown), ...each('--hide', this.#options.hidden)];
  }

  /** @returns the missing part; undefined when the program can be run */
  async #try(): Promise<string | undefined> {
    const { dataDir } = this.#options;
    const runtimes = join(dataDir, 'runtimes');
    await mkdir(runtimes, { recursive: true, mode: 0o700 });
    const stateDir = await mkdtemp(join(runtimes, 'try-'));
    const env = { ...inherited(), ACP_DATA_DIR: dataDir, STATE_DIR: stateDir };
    try {
      const prefix = await this.#prefix();
      const args = [SCRIPT, ...prefix, 'sh', '-c', READS_ALL, 'sh', ...(await filesOf(this.#command))];
      await promisify(execFile)('sh', args, { cwd: '/', env, timeout: TRY_WITHIN_MS });
      return undefined;
    } catch (error) {
      return explain(error);
    } finally {
      await rm(stateDir, { recursive: true, force: true });
    }
  }
}

const each = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value]);

function explain(error: unknown): string {
  const { message } = error as Error;
  const named = /^missing: (.*)$/m.exec(message)?.[1];
  if (named) return named;
  if (/unshare/.test(message.split('\n')[1] ?? '')) return 'namespaces for users, mounts, processes and IPC';
  return message.split('\n').at(-1) || message.split('\n')[1] || message;
}
