import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../platform/ports.ts';
import { LaunchFailure } from './failure.ts';
import { inherited } from './spawn.ts';
import { absoluteProgram, filesOf, visiblePaths } from './visible-paths.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SCRIPT = join(ROOT, 'confine-runtime.sh');
const WIRE = join(ROOT, 'wire.mjs');
const RUN_ON_WIRE = join(ROOT, 'run-on-wire.mjs');
/** A trial cut short counts as a missing ability, which ends a deploy: on a busy machine one takes over 10 s. */
const TRY_WITHIN_MS = 60_000;
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
  /** The runtime that the service comes with. Others may count on the machine's network where isolation is preferred. */
  isBuiltIn: boolean;
  log: Log;
}

/** The outcome of a trial. */
interface Trial {
  /** The part that is missing; undefined: none. */
  missing: string | undefined;
  /** A runtime is isolated, be it without a network of its own. */
  isConfined: boolean;
  hasNetwork: boolean;
}

const UNTRIED: Trial = { missing: undefined, isConfined: false, hasNetwork: false };

/** Wraps a runtime's command so that it sees nothing of the service or of other runtimes (confine-runtime.sh). */
export class Isolation {
  readonly #command: readonly string[];
  readonly #options: IsolationOptions;
  #trial: Promise<Trial> | undefined;
  #found = UNTRIED;

  constructor(command: readonly string[], options: IsolationOptions) {
    this.#command = command;
    this.#options = options;
  }

  get isOff(): boolean {
    return this.#options.mode === 'none';
  }

  /** The system's missing ability, by the last trial; undefined: none. */
  get missing(): string | undefined {
    return this.#found.missing;
  }

  /** The last trial found that runtimes can have a network of their own, and they are to. */
  get hasNetwork(): boolean {
    return this.#found.hasNetwork;
  }

  get #wantsNetwork(): boolean {
    return this.#options.mode === 'required' || this.#options.isBuiltIn;
  }

  /**
   * Rejects where isolation is required but impossible.
   * @param cgroups directories of control groups to join
   * @param wire the directory of the service's sockets; undefined: the network is the machine's
   * @returns the program and its arguments
   */
  async command(cgroups: readonly string[], wire?: string): Promise<readonly string[]> {
    if (this.isOff) return this.#command;
    if (!(await this.isPossible())) {
      if (this.#options.mode === 'preferred') return this.#command;
      throw new LaunchFailure('spec_rejected', `Runtimes cannot be isolated: missing ${this.missing}`);
    }
    const prefix = await this.#prefix(wire);
    return ['sh', SCRIPT, ...each('--cgroup', cgroups), ...prefix, ...(await this.#program(wire))];
  }

  /**
   * Keeps a positive result, but repeats a failed trial, whose cause may be temporary (a full disk).
   * @returns true when a runtime is isolated as far as the mode asks for
   */
  async isPossible(): Promise<boolean> {
    const trial = (this.#trial ??= this.#try());
    const { mode, log } = this.#options;
    const found = await trial;
    const { missing, isConfined } = found;
    if (missing !== undefined && this.#trial === trial) this.#trial = undefined;
    const isPossible = missing === undefined || (isConfined && mode === 'preferred');
    if (missing !== undefined && missing !== this.missing)
      log.warn({ missing }, isPossible ? 'runtimes have the machine’s network' : EFFECTS[mode]);
    this.#found = found;
    return isPossible;
  }

  /** A runtime in Node.js joins itself with the wire; beside others a process does. */
  async #program(wire: string | undefined): Promise<string[]> {
    const [program = '', ...args] = this.#command;
    if (wire === undefined) return [await absoluteProgram(program), ...args];
    if (this.#options.isBuiltIn) return [await absoluteProgram(program), '--import', WIRE, ...args];
    return [process.execPath, RUN_ON_WIRE, await absoluteProgram(program), ...args];
  }

  async #prefix(wire: string | undefined): Promise<string[]> {
    const ofWire = wire === undefined ? [] : [WIRE, RUN_ON_WIRE, ...(await visiblePaths([process.execPath]))];
    const shown = [...(await visiblePaths(this.#command)), ...ofWire];
    return [
      ...(wire === undefined ? [] : ['--wire', wire]),
      ...each('--show', shown),
      ...each('--hide', this.#options.hidden),
    ];
  }

  async #try(): Promise<Trial> {
    const without = this.#wantsNetwork ? await this.#tryOnce(true) : 'none is wanted';
    if (without === undefined) return { missing: undefined, isConfined: true, hasNetwork: true };
    const missing = await this.#tryOnce(false);
    if (missing !== undefined) return { ...UNTRIED, missing };
    const network = `network: ${without.replace(/^network: /, '')}`;
    return { ...UNTRIED, missing: this.#wantsNetwork ? network : undefined, isConfined: true };
  }

  /** @returns the missing ability; undefined when isolation works */
  async #tryOnce(hasNetwork: boolean): Promise<string | undefined> {
    const { dataDir } = this.#options;
    const runtimes = join(dataDir, 'runtimes');
    await mkdir(runtimes, { recursive: true, mode: 0o700 });
    const stateDir = await mkdtemp(join(runtimes, 'try-'));
    const env = { ...inherited(), ACP_DATA_DIR: dataDir, STATE_DIR: stateDir };
    try {
      const prefix = await this.#prefix(hasNetwork ? stateDir : undefined);
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

const EFFECTS = {
  required: 'runtimes are not isolated: no runtime starts',
  preferred: 'runtimes are not isolated: one that is taken over can read all secrets',
  none: 'runtimes are not isolated',
} as const satisfies Record<IsolationMode, string>;

const each = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value]);

function explain(error: unknown): string {
  const { message } = error as Error;
  const named = /^missing: (.*)$/m.exec(message)?.[1];
  if (named) return named;
  if (/unshare/.test(message.split('\n')[1] ?? ''))
    return 'namespaces for users, mounts, processes, IPC and networks';
  return message.split('\n').at(-1) || message.split('\n')[1] || message;
}
