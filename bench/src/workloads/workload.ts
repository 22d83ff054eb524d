import type { HttpServer, Requests, Window } from '../contestants/contestant.ts';
import type { World } from '../world.ts';

export interface Workload {
  name: string;
  title: string;
  only?: readonly string[];
  prepare?(world: World): Promise<void>;
  check(server: HttpServer, world: World): Promise<void>;
  requests(server: HttpServer, world: World, window: Window): Requests;
  script(world: World): string;
  checkScript(world: World): Promise<void>;
  /** After each window that changes something. */
  reset?(world: World): Promise<void>;
}
