import type { RuntimePhase, RuntimeReason } from '../instances/runtime-state.contract.ts';

export type { RuntimeReason };

/** The lasting part of a runtime. Its hash stays the same as long as nothing in it changes. */
export interface RuntimeSpec {
  instance_id: string;
  tenant_id: string;
  /** Grows with each start. An engine runs at most one runtime of an instance. */
  generation: number;
  /** A container image; undefined: the engine's own choice. The engine `process` runs `command` instead. */
  image?: string;
  /** The program and its arguments; undefined: the engine's own choice. */
  command?: readonly string[];
  cpu_millis: number;
  memory_mib: number;
  /** Environment variables. They may hold secrets: never log or store them. */
  environment: Readonly<Record<string, string>>;
  /** Covers everything above but the generation. */
  hash: string;
}

/** More environment variables, made anew for each process, container or pod. */
export type Minted = Readonly<
  Record<'ENROLLMENT_TOKEN' | 'PROXY_KEY' | 'MESSAGE_SECRET' | 'LLM_API_KEY', string>
>;

/** Called once per creation; undefined when the runtime is no longer to run here. */
export type Mint = () => Promise<Minted | undefined>;

/** The state of a runtime, as an engine sees it. */
export interface Observed {
  instance_id: string;
  generation: number;
  spec_hash: string;
  phase: RuntimePhase;
  /** null when all is well, and when it is gone because it was removed. The engine's own text goes to the log. */
  reason: RuntimeReason | null;
  /**
   * The base address while the phase is `up`. The engine `process` adds the process that has to listen there, as a fragment
   * (`http://127.0.0.1:40123#4711.3057`).
   */
  address: string | null;
  /** Restarts by the engine itself, which stays `starting` meanwhile. One that does not restart tells of `gone`, and is asked again. */
  restarts: number;
  /** The code of the last end; null: none, or by a signal. */
  exit_code: number | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Runs runtimes: as processes of this machine, as containers, in a cluster. Every call may be repeated. */
export interface Engine {
  /** Has a runtime made unless there is one; returns at once. A further call for the same specification changes nothing. */
  ensure(spec: RuntimeSpec, minted: Mint): Promise<void>;
  /** Begins the end of a runtime; nothing happens when there is none. */
  remove(instance_id: string): Promise<void>;
  /** Everything that exists, then each change, in order. An engine that could miss changes repeats the full list. */
  watch(signal: AbortSignal): AsyncIterable<{ all: readonly Observed[] } | Observed>;
  /** The service stops. Resolves when no runtime is left that cannot outlive it. */
  close(): Promise<void>;
}
