import { restDialect } from '../dialect.ts';
import type { Contestant } from './contestant.ts';

/** The product: it made the tables, so it runs already, and goes on when the others have stopped. */
export const service: Contestant = {
  name: 'service',
  start: async (world) => ({
    kind: 'http',
    base_url: world.service.base_url,
    pid: world.service.pid,
    dialect: restDialect,
    stop: async () => {},
  }),
};
