import { endedSessions } from '../access/sessions.db.ts';
import { endedSignInLinks } from '../access/sign-in-links.db.ts';
import { storedChanges } from '../access/stored-bytes.db.ts';
import { oldAudit } from '../audit/retention.ts';
import { emptyConversations, emptyMessages } from '../conversations/retention.db.ts';
import { dueContents, surplusConversations } from '../conversations/retention.ts';
import { unusedUploads } from '../conversations/uploads.db.ts';
import { oldMarks } from '../events/due-events.db.ts';
import { oldEventsOut } from '../events/event-deliveries.db.ts';
import { oldEvents } from '../instances/instance-events.db.ts';
import { terminatedInstances } from '../instances/retention.ts';
import { oldLines } from '../logs/instance-logs.db.ts';
import { oldSpending, oldSums, sumUpCalls } from '../models/llm-calls.db.ts';
import { endedPinSessions } from '../pins/pin-sessions.db.ts';
import type { Database } from '../platform/db/database.ts';
import { type Deletion, inBatches } from '../platform/deletions.ts';
import type { Log } from '../platform/ports.ts';
import type { JobRequest } from '../platform/queue/jobs.db.ts';
import { oldRollouts } from '../rollouts/rollouts.db.ts';
import { deadHosts } from '../runtimes/runtime-hosts.db.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { dueApprovals, oldApprovals } from '../tools/approvals.db.ts';
import { endedCalls } from '../tools/kept-calls.db.ts';

/** In days (contract, section 20). */
export interface Retention {
  /** After their end. */
  sessions_days: number;
  /** After delivery or the last attempt, once the content is erased. */
  messages_days: number;
  events_days: number;
  /** Records of tool calls and of changes. */
  audit_days: number;
  /** After the decision. */
  approvals_days: number;
}

export const defaultRetention: Retention = {
  sessions_days: 1,
  messages_days: 30,
  events_days: 365,
  audit_days: 365,
  approvals_days: 365,
};

export interface PurgeServices {
  db: Database;
  keyring: Keyring;
  log: Log;
  settings: { retention: Retention };
}

const DELETIONS: Readonly<Record<string, (services: PurgeServices, kept: Retention) => Deletion>> = {
  sessions: (_, { sessions_days }) => endedSessions(sessions_days),
  sign_in_links: () => endedSignInLinks(),
  pin_sessions: (_, { sessions_days }) => endedPinSessions(sessions_days),
  message_contents: dueContents,
  messages: (_, { messages_days }) => emptyMessages(messages_days),
  conversations: emptyConversations,
  uploads: unusedUploads,
  surplus_conversations: surplusConversations,
  approval_contents: dueApprovals,
  kept_calls: endedCalls,
  approvals: (_, { approvals_days }) => oldApprovals(approvals_days),
  llm_calls: () => inBatches(sumUpCalls),
  llm_days: oldSums,
  llm_spending: oldSpending,
  instance_logs: oldLines,
  instance_events: (_, { events_days }) => oldEvents(events_days),
  events_out: oldEventsOut,
  told_events: oldMarks,
  rollouts: oldRollouts,
  instances: terminatedInstances,
  runtime_hosts: deadHosts,
  stored_changes: storedChanges,
  audit: (services, { audit_days }) => oldAudit(services, audit_days),
};

/** The job's key is the name of the deletion. */
export const PURGE = 'purge';

/** One job per deletion, so that a failing one delays no other. */
export const PURGES: readonly JobRequest[] = Object.keys(DELETIONS).map((key) => ({ kind: PURGE, key }));

/** Per run; then other deletions get a slot. */
const BATCHES = 20;

/** @returns the time of the next run; undefined for a deletion that no longer exists */
export async function purge(
  services: PurgeServices,
  name: string,
  signal: AbortSignal,
): Promise<Date | 'now' | undefined> {
  const { db, settings } = services;
  const deletion = DELETIONS[name]?.(services, settings.retention);
  if (!deletion) return undefined;
  for (let batch = 0; batch < BATCHES && !signal.aborted; batch++) {
    if (await deletion.deleteSome(db, signal)) continue;
    return new Date(db.system.now.getTime() + deletion.everyMinutes * 60_000);
  }
  return 'now';
}
