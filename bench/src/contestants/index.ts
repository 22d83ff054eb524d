import { bareFastify } from './bare-fastify.ts';
import type { Contestant } from './contestant.ts';
import { pgbench } from './pgbench.ts';
import { postgrest } from './postgrest.ts';
import { express, fastapi, nest } from './programs.ts';
import { service } from './service.ts';

/** In the order in which they take their turns. */
export const contestants: readonly Contestant[] = [
  pgbench,
  service,
  bareFastify,
  postgrest,
  nest,
  express,
  fastapi,
];
