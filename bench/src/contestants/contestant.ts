import type { Call } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import type { Load } from '../load/load.ts';
import type { World } from '../world.ts';

/** Requests to a contestant over HTTP during a window. */
export interface Requests {
  calls: readonly Call[];
  once: boolean;
}

export interface Window {
  connections: number;
  seconds: number;
}

/** A contestant that runs. */
export type Running = HttpServer | Floor;

interface Ended {
  stop(): Promise<void>;
}

export interface HttpServer extends Ended {
  kind: 'http';
  base_url: string;
  /** Its process and those below it are what it costs. */
  pid: number;
  dialect: Dialect;
}

/** A contestant that needs no server beside the database. */
export interface Floor extends Ended {
  kind: 'floor';
  /** `script`: see pgbench(1), "Custom Scripts". */
  measure(script: string, window: Window): Promise<Load>;
}

/** Somebody who is measured on the same data as the service. */
export interface Contestant {
  name: string;
  /** A line that says what is not installed; undefined: it can be started. */
  missing?(): string | undefined;
  start(world: World): Promise<Running>;
}
