import { restDialect } from '../dialect.ts';
import type { Contestant } from './contestant.ts';

/** It runs already, because it created the tables. */
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
