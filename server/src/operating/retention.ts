import { deleteEndedSessions } from '../access/sessions.db.ts';
import { changeTable, toolCallTable } from '../audit/chain-table.ts';
import { deleteChainedBefore } from '../audit/retention.ts';
import { deleteEmptyMessages } from '../conversations/retention.db.ts';
import { deleteOldEvents } from '../instances/instance-events.db.ts';
import { deleteEndedPinSessions } from '../pins/pin-sessions.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { Query } from '../platform/db/sql.ts';
import type { Log } from '../platform/ports.ts';
import { deleteDeadHosts } from '../runtimes/runtime-hosts.db.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { deleteTerminated, listTenantsWithAuditBefore, listTerminated } from './retention.db.ts';

/** How long rows are kept, in days (contract, section 20). */
export interface Retention {
  /** Sessions after their end. */
  sessions_days: number;
  /** Messages after they were delivered or given up, once what they said is erased. */
  messages_days: number;
  /** Instances' events. */
  events_days: number;
  /** The records of tool calls and of changes. */
  audit_days: number;
  /** Approvals after they were decided. */
  approvals_days: number;
}

export const defaultRetention: Retention = {
  sessions_days: 1,
  messages_days: 30,
  events_days: 365,
  audit_days: 365,
  approvals_days: 365,
};

const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Small, so that nobody waits for the rows. */
const BATCH = 500;
const TERMINATED_DAYS = 365;
const INSTANCES_AT_ONCE = 50;

export interface PurgeServices {
  db: Database;
  keyring: Keyring;
  log: Log;
  settings: { retention: Retention };
}

/** The job that deletes what has served its time. @returns when it runs again */
export async function purge(services: PurgeServices, signal: AbortSignal): Promise<Date | 'now'> {
  const { db, settings } = services;
  const { sessions_days, messages_days, events_days } = settings.retention;
  const batches: readonly (() => Query<number>)[] = [
    () => deleteEndedSessions(sessions_days, BATCH),
    () => deleteEndedPinSessions(sessions_days, BATCH),
    () => deleteEmptyMessages(messages_days, BATCH),
    () => deleteOldEvents(events_days, BATCH),
  ];
  for (const batch of batches) {
    while ((await db.system.run(batch())) === BATCH) if (signal.aborted) return 'now';
  }
  await db.system.run(deleteDeadHosts());
  await deleteInstances(services, signal);
  await deleteAudit(services, signal);
  return signal.aborted ? 'now' : new Date(db.system.now.getTime() + EVERY_MS);
}

/** An instance that cannot be deleted is left for the next time, and keeps no other from it. */
async function deleteInstances({ db, log }: PurgeServices, signal: AbortSignal): Promise<void> {
  for (const { id, tenant_id } of await db.system.run(listTerminated(TERMINATED_DAYS, INSTANCES_AT_ONCE))) {
    if (signal.aborted) return;
    await db
      .tenant(tenant_id)
      .run(deleteTerminated(id))
      .catch((error: unknown) =>
        log.warn({ instance_id: id, err: error }, 'a terminated instance was not deleted'),
      );
  }
}

async function deleteAudit(services: PurgeServices, signal: AbortSignal): Promise<void> {
  const { db, settings } = services;
  const time = new Date(db.system.now.getTime() - settings.retention.audit_days * DAY_MS);
  for (const tenant_id of await db.system.run(listTenantsWithAuditBefore(time))) {
    for (const table of [toolCallTable, changeTable]) {
      if (signal.aborted) return;
      await deleteChainedBefore(services, table, tenant_id, time);
    }
  }
}
