import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Engine, RuntimeSpec } from '../../instances/engine.port.ts';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import { Confinement } from './confinement.ts';
import { launch } from './launch.ts';
import { LogBounds } from './log-file.ts';
import { findMarked, type MarkedProcess } from './marked.ts';
import { removeStateDirectory } from './state-directory.ts';
import { Supervisor } from './supervisor.ts';

const REFERENCE_RUNTIME = join(import.meta.dirname, '../../../../runtime/dist/main.js');
const START_TIMEOUT_MS = 15_000;

export interface ProcessEngineOptions {
  /** The real path of DATA_DIR. It marks the processes; only the holder of its lock may start and end them. */
  dataDir: string;
  log: Log;
  /** The program and its arguments, run unconfined; by default the reference runtime, confined. */
  command?: readonly string[];
  /** More directories that a confined runtime must not see. */
  hidden?: readonly string[];
  /** The time between SIGTERM and SIGKILL; 6 s by default. */
  graceMs?: number;
  /** Resolves with the current specification for a restart, or undefined when the runtime should no longer run. */
  specFor: (instance_id: string) => Promise<RuntimeSpec | undefined>;
  /** Reports a new address after a restart, or null when the runtime is gone for good. Retried until it resolves. */
  onAddress: (instance_id: string, address: string | null) => Promise<void>;
}

/**
 * Runs each runtime as a process of this machine (Linux) on a free port of 127.0.0.1, and restarts it when it dies.
 * Runtimes survive a killed server: the next one finds them by their environment (`recover`).
 */
export class ProcessEngine implements Engine {
  readonly #options: ProcessEngineOptions;
  readonly #supervisors = new Map<string, Supervisor>();
  readonly #logBounds: LogBounds;
  /** Limits concurrent starts, which would otherwise slow each other down until all time out. */
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
   * Adopts the runtimes of an earlier server and ends those that are unwanted, unhealthy or duplicates. Call it once,
   * when the service knows its own address; other calls wait for it.
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

  /** Deletes the runtime's state too: the next start brings a new enrollment token. */
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
    const { log, dataDir, command: given, graceMs, specFor, onAddress } = this.#options;
    const supervisor = new Supervisor({
      instance_id,
      log,
      graceMs,
      launch: (spec, preferredPort, signal) =>
        this.#launches.run(async () => {
          const command = given ?? (await this.#confinement.command());
          const timeoutMs = START_TIMEOUT_MS;
          return launch({ spec, dataDir, command, graceMs, preferredPort, signal, timeoutMs });
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

/** The id becomes part of a file name. */
function requireFileName(instance_id: string): void {
  if (!/^[\w-]+$/.test(instance_id))
    throw new Error('An instance id must consist of letters, digits, _ and -');
}
