import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import { DATABASE_STATES, type DatabaseChecks } from './db/readiness.ts';

/** A scrape must answer while the database does not. */
const TIMEOUT_MS = 2000;

interface Database {
  /** How often the server refused a connection because it had none left. */
  refusals: () => number;
  check: () => Promise<DatabaseChecks>;
}

/** The same state as in `/readyz`. */
export function addDatabaseState(registry: Registry, { refusals, check }: Database): void {
  const state: Gauge = new Gauge({
    name: 'acp_database_state',
    help: 'How this copy finds the database: 1 for the state that /readyz names',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const checks = await Promise.race([check(), sleep(TIMEOUT_MS, undefined, { ref: false })]);
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
