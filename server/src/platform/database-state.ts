import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import { DATABASE_STATES, type DatabaseChecks } from './db/readiness.ts';

/** A scrape answers also while the database does not. */
const WITHIN_MS = 2000;

interface Database {
  /** How often the server had no connection to spare. */
  refusals: () => number;
  check: () => Promise<DatabaseChecks>;
}

/** How this copy finds the database, as its `/readyz` says it. */
export function addDatabaseState(registry: Registry, { refusals, check }: Database): void {
  const state: Gauge = new Gauge({
    name: 'acp_database_state',
    help: 'How this copy finds the database: 1 for the state that /readyz names',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const checks = await Promise.race([check(), sleep(WITHIN_MS, undefined, { ref: false })]);
      const found = checks?.database ?? 'unreachable';
      for (const one of DATABASE_STATES) state.set({ state: one }, Number(one === found));
    },
  });
  const refused: Counter = new Counter({
    name: 'acp_database_refused_total',
    help: 'Connections that the database refused because it has too many',
    registers: [registry],
    collect: () => {
      refused.reset();
      refused.inc(refusals());
    },
  });
}
