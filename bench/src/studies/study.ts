import type { Options } from '../options.ts';
import type { World } from '../world.ts';

/** Something that the service alone is asked: how one figure of it depends on another. */
export interface Study {
  name: string;
  title: string;
  /** Rejects when something that it asks is answered wrong. */
  check?(world: World): Promise<void>;
  /** true: the study can run for correctness alone, with little data and without wrk. */
  isSmokable?: true;
  /** @returns lines of Markdown */
  run(world: World, options: Options): Promise<string[]>;
}
