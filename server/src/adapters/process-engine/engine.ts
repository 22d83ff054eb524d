import { EventEmitter, on } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import type { Engine, Mint, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import type { RuntimeDoors } from '../../runtimes/runtime-doors.port.ts';
import { Cgroups } from './cgroups.ts';
import { Isolation, type IsolationMode, type IsolationState } from './isolation.ts';
import { launch } from './launch.ts';
import { type Limit, MemoryLimit, MemoryWatch, noLimit } from './limits.ts';
import { LogBounds } from './log-file.ts';
import { LogReader } from './log-reader.ts';
import { findMarked, type MarkedProcess, type ServerAddresses } from './marked.ts';
import { findMachineNetwork, machineNetwork, type Network, ownNetwork } from './network.ts';
import { recoverOne } from './recovery.ts';
import type { SpawnOptions } from './spawn.ts';
import { removeStateDirectory } from './state-directory.ts';
import { Supervisor } from './supervisor.ts';
import { type OpenInternet, Wires } from './wires.ts';

const REFERENCE_RUNTIME = join(import.meta.dirname, '../../../../runtime/dist/main.js');
const START_TIMEOUT_MS = 15_000;
const RECOVERIES_AT_ONCE = 16;

export interface ProcessEngineOptions {
  /** The real path of DATA_DIR, which marks the processes. Only the holder of its lock may start and end them. */
  dataDir: string;
  log: Log;
  /** A program and its arguments; by default the reference runtime. */
  command?: readonly string[];
  isolation: IsolationMode;
  /** Directories besides DATA_DIR that an isolated runtime must not see. */
  hidden?: readonly string[];
  /** Between SIGTERM and SIGKILL; 6 s by default. */
  graceMs?: number;
  /** From the start of a runtime until it listens; 15 s by default. */
  startTimeoutMs?: number;
  /** Receives lines of a runtime's log. They are sent again after a rejection. */
  onOutput?: (instance_id: string, lines: readonly string[]) => Promise<void>;
  /** Takes secrets of an instance out of a line that its runtime printed; by default nothing. */
  clean?: (instance_id: string, line: string) => Promise<string>;
  /** How runtimes of their own network reach public addresses. */
  openInternet?: OpenInternet;
}

/**
 * Runs each runtime as a local Linux process on a free port of 127.0.0.1. It restarts none by itself: the caller calls
 * `ensure` again. Runtimes survive a killed server; the next server finds them by their environment (`recover`).
 */
export class ProcessEngine implements Engine {
  readonly #options: ProcessEngineOptions;
  readonly #supervisors = new Map<string, Supervisor>();
  readonly #changes = new EventEmitter();
  readonly #logBounds: LogBounds;
  readonly #logReader: LogReader;
  /** Too many concurrent starts would slow each other down until all time out. */
  readonly #launches = new Semaphore(availableParallelism());
  readonly #isolation: Isolation;
  /** By a specification's own command. */
  readonly #isolations = new Map<string, Isolation>();
  readonly #cgroups: Promise<Cgroups>;
  readonly #memory: MemoryWatch;
  readonly #wires: Wires;
  #missingLimits: readonly string[] = [];
  #recovery: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: ProcessEngineOptions) {
    this.#options = options;
    const { dataDir, log, command, openInternet = noInternet } = options;
    this.#isolation = command
      ? this.#isolate(command)
      : this.#isolate([process.execPath, REFERENCE_RUNTIME], { isBuiltIn: true });
    this.#wires = new Wires(dataDir, log, openInternet);
    this.#cgroups = Cgroups.open(dataDir);
    this.#memory = new MemoryWatch(log);
    const instances = () => this.#supervisors.keys();
    this.#logBounds = new LogBounds(dataDir, log, instances);
    this.#logReader = new LogReader({
      dataDir,
      log,
      instances,
      onLines: options.onOutput ?? (() => Promise.resolve()),
    });
  }

  /** As of the last trial. */
  get isolation(): IsolationState {
    if (this.#isolation.isOff) return 'off';
    const missing = [this.#isolation.missing ?? [], this.#missingLimits].flat();
    return missing.length === 0 ? 'on' : `missing: ${missing.join('; ')}`;
  }

  /** Updates `isolation`. */
  async tryIsolation(): Promise<void> {
    if (this.#isolation.isOff) return;
    await this.#isolation.isPossible();
    const { limitsMemory, limitsCpu } = await this.#cgroups;
    this.#missingLimits = [
      ...(limitsMemory ? [] : ['a writable memory cgroup (resident memory is watched)']),
      ...(limitsCpu ? [] : ['a writable cpu cgroup']),
    ];
  }

  /**
   * Adopts the runtimes of an earlier server. Ends those that are unhealthy, duplicates or know outdated addresses of the
   * server. Call it once; all other methods wait for it.
   * @param doors where runtimes with a network of their own reach the server
   */
  async recover(addresses: ServerAddresses, doors?: RuntimeDoors): Promise<void> {
    this.#wires.doors = doors;
    const recovery = this.#recoverAll(addresses);
    this.#recovery = recovery.catch(() => {});
    await recovery;
  }

  async ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    await this.#recovery;
    if (this.#closing) throw new Error('The engine is closed');
    requireFileName(spec.instance_id);
    const ensured = this.#supervisorOf(spec.instance_id).ensure(spec, mint);
    void ensured.finally(() => this.#forgetIdle(spec.instance_id));
  }

  /** Deletes the runtime's state, too: the next start brings a new enrollment token. */
  async remove(instance_id: string): Promise<void> {
    await this.#recovery;
    requireFileName(instance_id);
    const { dataDir, log } = this.#options;
    const removed = this.#supervisorOf(instance_id).stop(async () => {
      await this.#wires.remove(instance_id);
      await removeStateDirectory(dataDir, instance_id);
    });
    void removed
      .catch((error: unknown) => log.error({ instance_id, err: error }, 'the state of a runtime is left'))
      .finally(() => this.#forgetIdle(instance_id));
  }

  async *watch(signal: AbortSignal): AsyncGenerator<{ all: readonly Observed[] } | Observed> {
    await this.#recovery;
    signal.throwIfAborted();
    const changes = on(this.#changes, 'change', { signal });
    yield { all: [...this.#supervisors.values()].map(({ observed }) => observed) };
    for await (const [observed] of changes as AsyncIterable<[Observed]>) yield observed;
  }

  close(): Promise<void> {
    this.#closing ??= this.#stopAll();
    return this.#closing;
  }

  async #stopAll(): Promise<void> {
    await this.#recovery;
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.stop()));
    await this.#logReader.close();
    this.#supervisors.clear();
    this.#logBounds.close();
  }

  async #recoverAll(addresses: ServerAddresses): Promise<void> {
    const found = await findMarked(this.#options.dataDir);
    const ids = new Set(found.map((marked) => marked.instance_id));
    const recoveries = new Semaphore(RECOVERIES_AT_ONCE);
    const { log, graceMs } = this.#options;
    const options = {
      log,
      graceMs,
      limitOf: (adopted: MarkedProcess) => this.#limitOf(adopted),
      networkOf: (marked: MarkedProcess) => this.#networkOf(marked),
    };
    const recover = async (id: string) => {
      const ofOne = found.filter((marked) => marked.instance_id === id);
      const adopted = await recoverOne(ofOne, addresses, options);
      if (adopted) this.#supervisorOf(id).adopt(adopted);
      else this.#logReader.read(id);
    };
    await Promise.all([...ids].map((id) => recoveries.run(() => recover(id))));
  }

  #supervisorOf(instance_id: string): Supervisor {
    const known = this.#supervisors.get(instance_id);
    if (known) return known;
    const { log, dataDir, graceMs, startTimeoutMs = START_TIMEOUT_MS } = this.#options;
    const { clean = async (_id: string, line: string) => line } = this.#options;
    const supervisor = new Supervisor({
      instance_id,
      log,
      clean: (line) => clean(instance_id, line),
      launch: (spec, minted, signal) =>
        this.#launches.run(() => {
          const prepare = () => this.#prepare(spec);
          return launch({ spec, minted, dataDir, prepare, graceMs, signal, timeoutMs: startTimeoutMs });
        }),
      onChange: (observed) => {
        this.#changes.emit('change', observed);
        this.#forgetIdle(instance_id);
      },
    });
    this.#supervisors.set(instance_id, supervisor);
    return supervisor;
  }

  #isolate(command: readonly string[], { isBuiltIn = false } = {}): Isolation {
    const { dataDir, hidden = [], log, isolation: mode } = this.#options;
    return new Isolation(command, { mode, dataDir, hidden, isBuiltIn, log });
  }

  #isolationOf({ command }: RuntimeSpec): Isolation {
    if (!command) return this.#isolation;
    const key = JSON.stringify(command);
    const isolation = this.#isolations.get(key) ?? this.#isolate(command);
    this.#isolations.set(key, isolation);
    return isolation;
  }

  async #prepare(spec: RuntimeSpec): Promise<Pick<SpawnOptions, 'command' | 'limit' | 'network'>> {
    const isolation = this.#isolationOf(spec);
    if (isolation.isOff) {
      return { command: await isolation.command([]), limit: noLimit, network: await findMachineNetwork() };
    }
    const cgroups = await this.#cgroups;
    const isConfined = await isolation.isPossible();
    const groups = isConfined ? await cgroups.make(spec.instance_id, spec) : [];
    const limit = await this.#memoryLimit(spec, isConfined && cgroups.limitsMemory);
    if (!isConfined || !isolation.hasNetwork) {
      return { command: await isolation.command(groups), limit, network: await findMachineNetwork() };
    }
    const { instance_id, internet, environment } = spec;
    const { directory, network } = await this.#openWire({ instance_id, hasInternet: internet }, environment);
    return { command: await isolation.command(groups, directory), limit, network };
  }

  async #openWire(
    of: { instance_id: string; hasInternet: boolean },
    environment: RuntimeSpec['environment'],
  ): Promise<{ directory: string; network: Network }> {
    const { directory, close } = await this.#wires.open(of.instance_id, of.hasInternet);
    const network = ownNetwork({ dataDir: this.#options.dataDir, ...of }, environment, close);
    return { directory, network };
  }

  async #networkOf({ network: kind, instance_id, port }: MarkedProcess): Promise<Network | undefined> {
    const isOpen = kind === 'machine';
    if (isOpen && this.#options.isolation === 'required') return undefined;
    if (isOpen) return machineNetwork(port);
    return (await this.#openWire({ instance_id, hasInternet: kind === 'internet' }, {})).network;
  }

  /** A control group outlives the server that made it. Runtimes without one are watched. */
  async #limitOf(adopted: MarkedProcess): Promise<Limit> {
    if (this.#isolation.isOff || Number.isNaN(adopted.memory_mib)) return noLimit;
    const cgroups = await this.#cgroups;
    return this.#memoryLimit(adopted, await cgroups.limitsMemoryOf(adopted.instance_id, adopted.pid));
  }

  async #memoryLimit(
    { instance_id, memory_mib }: Pick<RuntimeSpec, 'instance_id' | 'memory_mib'>,
    isInGroup: boolean,
  ): Promise<Limit> {
    const [cgroups, watch] = [await this.#cgroups, isInGroup ? undefined : this.#memory];
    return new MemoryLimit({ instance_id, memory_mib, cgroups, watch, log: this.#options.log });
  }

  #forgetIdle(instance_id: string): void {
    if (!this.#supervisors.get(instance_id)?.isIdle) return;
    this.#logReader.read(instance_id);
    this.#supervisors.delete(instance_id);
  }
}

const noInternet: OpenInternet = async () => async () => {};

/** The id becomes part of a path. */
function requireFileName(instance_id: string): void {
  if (!/^[\w-]+$/.test(instance_id))
    throw new Error('An instance id must consist of letters, digits, _ and -');
}
