import type { HttpServer, Requests, Window } from '../contestants/contestant.ts';
import type { World } from '../world.ts';

/** Something that several contestants can do: measured with all of them in turn. */
export interface Workload {
  name: string;
  title: string;
  /** Those who take part, by name; undefined: all. */
  only?: readonly string[];
  /** Made once, before anything is measured. */
  prepare?(world: World): Promise<void>;
  /** Rejects when the contestant's answers are not what they have to be: status, body, and whose rows they are. */
  check(server: HttpServer, world: World): Promise<void>;
  /** The requests of one window. */
  requests(server: HttpServer, world: World, window: Window): Requests;
  /** The same for pgbench. */
  script(world: World): string;
  /** Rejects when the script's statements find nothing. */
  checkScript(world: World): Promise<void>;
  /** After each window that has changed something. */
  reset?(world: World): Promise<void>;
}
