import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isAnswered } from '../call.ts';
import { recipeId } from '../data.ts';
import { type Dialect, restDialect } from '../dialect.ts';
import { freePort } from '../ports.ts';
import { Process } from '../processes.ts';
import type { World } from '../world.ts';
import type { Contestant } from './contestant.ts';

export const PEERS = join(import.meta.dirname, '../../peers');

export interface PeerProgram {
  name: string;
  /** A file that proves the installation, and the command for it. */
  needs: string;
  install: string;
  dialect?: Dialect;
  launch: (
    port: number,
    world: World,
  ) => { command: string; args: string[]; cwd: string; environment: Record<string, string> };
}

/** Starts on a free port, and is ready once it finds a recipe. */
export const peer = ({ name, needs, install, dialect = restDialect, launch }: PeerProgram): Contestant => ({
  name,
  missing: () => (existsSync(needs) ? undefined : `${name} is not installed: ${install}`),
  start: async (world) => {
    const port = await freePort();
    const program = new Process({ ...launch(port, world), log: join(world.directory, `${name}.log`) });
    const base_url = `http://127.0.0.1:${port}`;
    await program.ready(() => isAnswered(base_url, dialect.getRecipe(1, recipeId(1, 0))));
    return { kind: 'http', base_url, pid: program.pid, dialect, stop: () => program.stop() };
  },
});
