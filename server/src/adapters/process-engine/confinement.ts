import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../platform/ports.ts';
import { inherited } from './spawn.ts';

const SCRIPT = join(import.meta.dirname, '../../../confine-runtime.sh');
const TRY_WITHIN_MS = 10_000;

export interface ConfinementOptions {
  /** Of which a runtime is to see its own STATE_DIR alone. */
  dataDir: string;
  /** Directories beside it of which a runtime is to see nothing. */
  hidden: readonly string[];
  log: Log;
}

/**
 * Runs a program of ours, a file for Node.js, as a runtime that cannot read what is the service's or another runtime's,
 * although all of them are of one user: see the script.
 */
export class Confinement {
  readonly #program: string;
  readonly #options: ConfinementOptions;
  #trial: Promise<boolean> | undefined;

  constructor(program: string, options: ConfinementOptions) {
    this.#program = program;
    this.#options = options;
  }

  /**
   * The program and its arguments. Whether the system allows it is found out when it is first needed; where it does not
   * the program runs as it is, the log says so, and the next asks again: it may have been a disk that was full.
   */
  async command(): Promise<readonly string[]> {
    const { hidden } = this.#options;
    const hiding = hidden.flatMap((directory) => ['--hide', directory]);
    const prefix = ['sh', SCRIPT, ...hiding, process.execPath];
    const trial = (this.#trial ??= this.#try(prefix));
    if (await trial) return [...prefix, this.#program];
    if (this.#trial === trial) this.#trial = undefined;
    return [process.execPath, this.#program];
  }

  async #try(prefix: readonly string[]): Promise<boolean> {
    const { dataDir, log } = this.#options;
    try {
      await tryOut([...prefix, '-e', 'fs.accessSync(process.argv[1])', this.#program], dataDir);
      return true;
    } catch (error) {
      const { message } = error as Error;
      log.warn({ reason: message }, 'runtimes are not confined: one that is taken over can read MASTER_KEY');
      return false;
    }
  }
}

async function tryOut([file = '', ...args]: readonly string[], dataDir: string): Promise<void> {
  const runtimes = join(dataDir, 'runtimes');
  await mkdir(runtimes, { recursive: true, mode: 0o700 });
  const stateDir = await mkdtemp(join(runtimes, 'try-'));
  const env = { ...inherited(), ACP_DATA_DIR: dataDir, STATE_DIR: stateDir };
  try {
    await promisify(execFile)(file, args, { cwd: '/', env, timeout: TRY_WITHIN_MS });
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}
