import { bareFastify } from './bare-fastify.ts';
import type { Contestant } from './contestant.ts';
import { pgbench } from './pgbench.ts';
import { postgrest } from './postgrest.ts';
import { programs } from './programs.ts';
import { service } from './service.ts';

export const contestants: readonly Contestant[] = [pgbench, service, bareFastify, postgrest, ...programs];
