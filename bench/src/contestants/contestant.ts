import type { Call } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import type { Load } from '../load/load.ts';
import type { World } from '../world.ts';

export interface Requests {
  calls: readonly Call[];
  once: boolean;
}

export interface Window {
  connections: number;
  seconds: number;
}

export type Running = HttpServer | Floor;

interface Ended {
  stop(): Promise<void>;
}

export interface HttpServer extends Ended {
  kind: 'http';
  base_url: string;
  /** The root of the process tree whose usage is measured. */
  pid: number;
  dialect: Dialect;
}

export interface Floor extends Ended {
  kind: 'floor';
  /** See pgbench(1), "Custom Scripts". */
  measure(script: string, window: Window): Promise<Load>;
}

export interface Contestant {
  name: string;
  missing?(): string | undefined;
  start(world: World): Promise<Running>;
}
