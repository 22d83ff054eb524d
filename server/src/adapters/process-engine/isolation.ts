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

/** Where isolation is impossible, `required` starts no runtime; `preferred` starts it with a warning. */
export type IsolationMode = 'required' | 'preferred' | 'none';

export type IsolationState = 'on' | 'off' | `missing: ${string}`;

interface IsolationOptions {
  mode: IsolationMode;
  /** A runtime sees only its own STATE_DIR in it. */
  dataDir: string;
  /** More directories that a runtime must not see. */
  hidden: readonly string[];
  log: Log;
}

/** Wraps a runtime's command so that it sees nothing of the service or of other runtimes (confine-runtime.sh). */
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

  /** The system's missing ability, by the last trial; undefined: none. */
  get missing(): string | undefined {
    return this.#missing;
  }

  /**
   * Rejects where isolation is required but impossible.
   * @param cgroups directories of control groups to join
   * @returns the program and its arguments
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

  /** Keeps a positive result, but repeats a failed trial, whose cause may be temporary (a full disk). */
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

  /** @returns the missing ability; undefined when isolation works */
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
