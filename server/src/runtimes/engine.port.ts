import type { RuntimePhase, RuntimeReason } from '../instances/runtime-state.contract.ts';

export type { RuntimeReason };

/** The part that stays the same across starts. */
export interface RuntimeSpec {
  instance_id: string;
  tenant_id: string;
  /** Grows with each start. An engine runs at most one runtime per instance. */
  generation: number;
  /** A container image; undefined: the engine's default. The engine `process` runs `command` instead. */
  image?: string;
  /** A program and its arguments; undefined: the engine's default. */
  command?: readonly string[];
  cpu_millis: number;
  memory_mib: number;
  /** It may reach public addresses where it has a network of its own. */
  internet: boolean;
  /** May hold secrets: never log or store it. */
  environment: Readonly<Record<string, string>>;
  /** Covers everything above except the generation. */
  hash: string;
}

/** Environment variables that each process, container or pod gets anew. */
export type Minted = Readonly<
  Record<'ENROLLMENT_TOKEN' | 'PROXY_KEY' | 'MESSAGE_SECRET' | 'LLM_API_KEY', string>
>;

/** Call it once per creation. undefined: the runtime should no longer run here. */
export type Mint = () => Promise<Minted | undefined>;

export interface Observed {
  instance_id: string;
  generation: number;
  spec_hash: string;
  phase: RuntimePhase;
  /** null: no failure, or removed on request. The engine's own text goes to the log. */
  reason: RuntimeReason | null;
  /** The last line of the runtime itself before it failed, without secrets, at most 300 characters; null: nothing. */
  last_line: string | null;
  /** By the place's own checks of its health; left out where it makes none, so that the host asks. */
  ready?: boolean;
  /** While `up`. The engine `process` adds the process that must listen there (`http://127.0.0.1:40123#4711.3057`). */
  address: string | null;
  /** By the engine itself, which reports `starting` meanwhile. An engine that does not restart reports `gone`. */
  restarts: number;
  /** By the last exit; null: none, or by a signal. */
  exit_code: number | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Runs runtimes as local processes, containers or in a cluster. All calls are idempotent. */
export interface Engine {
  /** Starts a runtime unless there is one. Does not wait until it is up. */
  ensure(spec: RuntimeSpec, mint: Mint): Promise<void>;
  /** Does not wait until the runtime is gone. */
  remove(instance_id: string): Promise<void>;
  /** The full list, then changes in order. An engine that may miss changes repeats the full list. */
  watch(signal: AbortSignal): AsyncIterable<{ all: readonly Observed[] } | Observed>;
  /** Resolves when all runtimes that cannot outlive the service are gone. */
  close(): Promise<void>;
}
