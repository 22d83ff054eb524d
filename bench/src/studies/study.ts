import type { Options } from '../options.ts';
import type { World } from '../world.ts';

export interface Study {
  name: string;
  title: string;
  check?(world: World): Promise<void>;
  /** Runs with little data and without wrk. */
  isSmokable?: true;
  withoutWrk?: true;
  /** @returns lines of Markdown */
  run(world: World, options: Options): Promise<string[]>;
}
