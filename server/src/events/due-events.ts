import type { Database } from '../platform/db/database.ts';
import { forEach } from '../platform/deletions.ts';
import type { Again, JobRequest } from '../platform/queue/jobs.db.ts';
import { listTenantsOfDueEvents, tellDue } from './due-events.db.ts';

export const TELL_DUE_EVENTS: JobRequest = { kind: 'tell_due_events', key: 'all' };

/** Events come within a minute of their time (contract, section 23). */
const EVERY_MS = 15_000;

/** The job that finds what only time causes: a sender who waits, a certificate or credentials that end. */
export async function tellDueEvents({ db }: { db: Database }, signal: AbortSignal): Promise<Again> {
  await forEach(await db.system.run(listTenantsOfDueEvents()), signal, ({ tenant_id, kinds }) =>
    db.background(tenant_id).runAll(tellDue(kinds)),
  );
  return { afterMs: EVERY_MS };
}
