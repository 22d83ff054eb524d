import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Engine, RuntimeSpec } from '../../instances/engine.port.ts';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import { Confinement } from './confinement.ts';
import { launch } from './launch.ts';
import { LogBounds } from './log-bounds.ts';
import { findMarked, type MarkedProcess } from './marked.ts';
import { removeStateDirectory } from './state-directory.ts';
import { Supervisor } from './supervisor.ts';

const REFERENCE_RUNTIME = join(import.meta.dirname, '../../../../runtime/dist/main.js');
const START_TIMEOUT_MS = 15_000;

export interface ProcessEngineOptions {
  /** The real path of DATA_DIR: marks the processes, which its holder alone may start and end. */
  dataDir: string;
  log: Log;
  /** The program and its arguments, which run as they are; by default the reference runtime, confined. */
  command?: readonly string[];
  /** Directories beside dataDir that a confined runtime is to see nothing of. */
  hidden?: readonly string[];
  /** What a runtime needs now, to start it again; undefined: it is not to run any more. */
  specFor: (instance_id: string) => Promise<RuntimeSpec | undefined>;
  /** A restart changed the address, or the runtime is gone for good. Called again until it resolves. */
  onAddress: (instance_id: string, address: string | null) => Promise<void>;
}

/**
 * Runs each runtime as a process of this machine (Linux), which listens on a free port of 127.0.0.1, and starts it again
 * when it dies. Runtimes survive a server that is killed: the next one finds them by their environment (`recover`).
 */
export class ProcessEngine implements Engine {
  readonly #options: ProcessEngineOptions;
  readonly #supervisors = new Map<string, Supervisor>();
  readonly #logBounds: LogBounds;
  /** A crowd that starts at once would take the time from each other until all are late. */
  readonly #launches = new Semaphore(2 * availableParallelism());
  readonly #confinement: Confinement;
  #recovery: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: ProcessEngineOptions) {
    this.#options = options;
    const { dataDir, hidden = [], log } = options;
    this.#confinement = new Confinement(REFERENCE_RUNTIME, { dataDir, hidden, log });
    this.#logBounds = new LogBounds(options.dataDir, options.log, () => this.#supervisors.keys());
  }

  /**
   * Takes over the runtimes that an earlier server left, and ends those that should not run, are not well or are there
   * twice. To be called once, when the service knows its own address; other calls wait for it.
   */
  async recover(): Promise<void> {
    const recovery = this.#recoverAll();
    this.#recovery = recovery.catch(() => {});
    const supervisors = await recovery;
    await Promise.all(supervisors.map((supervisor) => supervisor.announce()));
  }

  async start(spec: RuntimeSpec): Promise<string> {
    await this.#recovery;
    if (this.#closing) throw new Error('The engine is closed');
    requireFileName(spec.instance_id);
    const supervisor = this.#supervisorOf(spec.instance_id);
    return supervisor.start(spec).finally(() => this.#forgetIdle(spec.instance_id));
  }

  /** What the runtime kept goes with it: its next start brings a new enrollment token. */
  async stop(instance_id: string): Promise<void> {
    await this.#recovery;
    requireFileName(instance_id);
    const supervisor = this.#supervisorOf(instance_id);
    await supervisor.stop(() => removeStateDirectory(this.#options.dataDir, instance_id));
    this.#forgetIdle(instance_id);
  }

  async find(instance_id: string): Promise<string | undefined> {
    return this.#supervisors.get(instance_id)?.address;
  }

  async list(): Promise<string[]> {
    return [...this.#supervisors.keys()];
  }

  close(): Promise<void> {
    this.#closing ??= this.#stopAll();
    return this.#closing;
  }

  async #stopAll(): Promise<void> {
    await this.#recovery;
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.stop()));
    this.#supervisors.clear();
    this.#logBounds.close();
  }

  async #recoverAll(): Promise<Supervisor[]> {
    const found = await findMarked(this.#options.dataDir);
    const ids = new Set(found.map((marked) => marked.instance_id));
    return Promise.all(
      [...ids].map((id) =>
        this.#recoverOne(
          id,
          found.filter((marked) => marked.instance_id === id),
        ),
      ),
    );
  }

  async #recoverOne(instance_id: string, found: readonly MarkedProcess[]): Promise<Supervisor> {
    const supervisor = this.#supervisorOf(instance_id);
    await supervisor.recover(found);
    this.#forgetIdle(instance_id);
    return supervisor;
  }

  #supervisorOf(instance_id: string): Supervisor {
    const known = this.#supervisors.get(instance_id);
    if (known) return known;
    const { log, dataDir, command: given, specFor, onAddress } = this.#options;
    const supervisor = new Supervisor({
      instance_id,
      log,
      launch: (spec, preferredPort, signal) =>
        this.#launches.run(async () => {
          const command = given ?? (await this.#confinement.command());
          return launch({ spec, dataDir, command, preferredPort, signal, timeoutMs: START_TIMEOUT_MS });
        }),
      findSpec: () => specFor(instance_id),
      onAddress: async (address) => {
        await onAddress(instance_id, address);
        this.#forgetIdle(instance_id);
      },
    });
    this.#supervisors.set(instance_id, supervisor);
    return supervisor;
  }

  #forgetIdle(instance_id: string): void {
    if (this.#supervisors.get(instance_id)?.isIdle) this.#supervisors.delete(instance_id);
  }
}

/** The id becomes a file's name. */
function requireFileName(instance_id: string): void {
  if (!/^[\w-]+$/.test(instance_id)) throw new Error('An instance id is letters, digits, _ and -');
}
