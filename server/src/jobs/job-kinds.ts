import { type ChangeServices, chainAllChanges } from '../audit/changes.ts';
import { type OutboxServices, sendMessages } from '../channels/outbox.ts';
import { CONVERSE } from '../conversations/conversations.db.ts';
import { SEND_MESSAGES } from '../conversations/messages.db.ts';
import { forwardMessages } from '../dialogue/forwarding.ts';
import type { ForwardingServices } from '../dialogue/forwarding-pass.ts';
import { SLEEP_RUNTIMES, sleepIdle } from '../dialogue/sleep.ts';
import { FIRE_TRIGGERS } from '../dialogue/triggers.db.ts';
import { fireTriggers, type TriggerServices } from '../dialogue/triggers.ts';
import { TELL_DUE_EVENTS, tellDueEvents } from '../events/due-events.ts';
import { SEND_EVENTS } from '../events/event-deliveries.db.ts';
import { type SendEventsServices, sendEvents } from '../events/send-events.ts';
import { WAKE_DELIVERIES, type WakingServices, wakeDeliveries } from '../events/wake-deliveries.ts';
import { continueFleet, RESTART_FLEET } from '../instances/restarts.ts';
import { KEEP_USAGE } from '../models/llm-calls.db.ts';
import { keepUsage } from '../models/usage.ts';
import { PURGE, PURGES, type PurgeServices, purge } from '../operating/retention.ts';
import type { Database } from '../platform/db/database.ts';
import type { Again, JobRequest } from '../platform/queue/jobs.db.ts';
import type { Job, JobKind } from '../platform/queue/queue.ts';
import { NotYet } from '../provisioning/failures.ts';
import { runTask } from '../provisioning/runner.ts';
import type { PlanServices } from '../recipes/plans.ts';
import { continueRollout } from '../rollouts/rollout-job.ts';
import { ROLL_OUT } from '../rollouts/rollouts.db.ts';
import { continueDrain, DRAIN_CLUSTER } from '../runtimes/drains.ts';
import { WAKE_RUNTIMES, wakeRuntimes } from '../runtimes/wakes.ts';
import { SETTLE_APPROVAL } from '../tools/approvals.db.ts';
import { settleApproval } from '../tools/settle-approval.ts';
import type { ToolServices } from '../tools/tools.ts';
import { KEY_ADDRESSES, keyAddresses } from '../workforce/address-keys.ts';

/** Before the last attempt, after which a task is rolled back. */
const TASK_RETRIES = 3;
const POLL_MS = 2000;
/** A tool call needs no runtime, so it may take as long as a stop (contract, section 2: 10 s). */
const CALL_FINISHES_WITHIN_MS = 8000;

/** As long as a stop leaves room for; a call that takes longer is made again. */
const EVENT_FINISHES_WITHIN_MS = 5000;

const CHAIN_EVERY_MS = 10_000;

const CHAIN_CHANGES: JobRequest = { kind: 'chain_changes', key: 'all' };

/** Enqueued at each start; they recur forever. */
export const LASTING_JOBS: readonly JobRequest[] = [
  CHAIN_CHANGES,
  KEEP_USAGE,
  KEY_ADDRESSES,
  WAKE_DELIVERIES,
  TELL_DUE_EVENTS,
  SLEEP_RUNTIMES,
  ...PURGES,
];

type JobServices = Parameters<typeof runTask>[0] &
  ForwardingServices &
  OutboxServices &
  ChangeServices &
  PurgeServices &
  PlanServices &
  ToolServices &
  TriggerServices &
  SendEventsServices &
  WakingServices & { db: Database };

interface Kind extends Omit<JobKind, 'run'> {
  run(
    services: JobServices,
    job: Job,
    signal: AbortSignal,
    draining: AbortSignal,
  ): Promise<Again | undefined>;
}

export const jobKinds = (services: JobServices): readonly JobKind[] =>
  KINDS.map((kind) => ({ ...kind, run: (job, ...signals) => kind.run(services, job, ...signals) }));

const KINDS: readonly Kind[] = [
  {
    /** One job per task; the key is its id. */
    kind: 'run_task',
    slots: { total: 10, perTenant: 5, perLane: 5 },
    maxPauseSeconds: 30,
    restsWhileDraining: true,
    run: async (services, { tenant_id, key, attempts }) => {
      try {
        return await runTask(
          services,
          { tenant_id, task_id: key },
          { lastAttempt: attempts >= TASK_RETRIES },
        );
      } catch (error) {
        // Waiting is not an attempt. Usually the task is woken earlier.
        if (error instanceof NotYet) return { afterMs: POLL_MS };
        throw error;
      }
    },
  },
  {
    /** One job per restart of many instances. */
    kind: RESTART_FLEET,
    slots: { total: 2, perTenant: 2, perLane: 2 },
    maxPauseSeconds: 30,
    restsWhileDraining: true,
    run: (services, { key }) => continueFleet(services.db.system, key),
  },
  {
    /** One job per cluster that is drained. */
    kind: DRAIN_CLUSTER,
    slots: { total: 2, perTenant: 2, perLane: 2 },
    maxPauseSeconds: 30,
    restsWhileDraining: true,
    run: (services, { key }) => continueDrain(services.db.system, key),
  },
  {
    /** One job per cluster with runtimes that messages wait for. */
    kind: WAKE_RUNTIMES,
    slots: { total: 4, perTenant: 4, perLane: 4 },
    maxPauseSeconds: 30,
    restsWhileDraining: true,
    run: (services, { key }) => wakeRuntimes(services, key),
  },
  {
    kind: SLEEP_RUNTIMES.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 300,
    restsWhileDraining: true,
    run: (services) => sleepIdle(services.db.system),
  },
  {
    /** One job per rollout; it composes configurations, so few run at once. */
    kind: ROLL_OUT,
    slots: { total: 2, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 30,
    restsWhileDraining: true,
    run: (services, { tenant_id, key }) => continueRollout(services, services.db.background(tenant_id), key),
  },
  {
    /** One job per conversation, in the instance's lane. Waiting for a runtime holds no database connection. */
    kind: CONVERSE,
    slots: { total: 64, perTenant: 16, perLane: 8 },
    maxPauseSeconds: 300,
    restsWhileDraining: true,
    run: (services, { tenant_id, key }, ...signals) =>
      forwardMessages(services, services.db.background(tenant_id), key, ...signals),
  },
  {
    kind: CHAIN_CHANGES.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 10,
    run: async (services, _, signal) => {
      await chainAllChanges(services, signal);
      return { afterMs: CHAIN_EVERY_MS };
    },
  },
  {
    /** One job per conversation with queued messages, in the instance's lane. */
    kind: SEND_MESSAGES,
    slots: { total: 64, perTenant: 16, perLane: 8 },
    maxPauseSeconds: 300,
    run: (services, { tenant_id, key }, signal) =>
      sendMessages(services, services.db.background(tenant_id), key, signal),
  },
  {
    /** One job per deployment with triggers, scheduled for their next time. */
    kind: FIRE_TRIGGERS,
    slots: { total: 8, perTenant: 2, perLane: 2 },
    maxPauseSeconds: 60,
    restsWhileDraining: true,
    run: (services, { tenant_id, key }) => fireTriggers(services, services.db.background(tenant_id), key),
  },
  {
    /** One job per approval, in the instance's lane; it makes the approved call. */
    kind: SETTLE_APPROVAL,
    slots: { total: 32, perTenant: 8, perLane: 4 },
    maxPauseSeconds: 300,
    restsWhileDraining: true,
    finishesWithinMs: CALL_FINISHES_WITHIN_MS,
    run: (services, { tenant_id, key }, signal) =>
      settleApproval(services, services.db.background(tenant_id), key, signal),
  },
  {
    /** One job per event endpoint, in a lane of its own. Waiting for its receiver holds no database connection. */
    kind: SEND_EVENTS,
    slots: { total: 400, perTenant: 20, perLane: 1 },
    maxPauseSeconds: 300,
    restsWhileDraining: true,
    finishesWithinMs: EVENT_FINISHES_WITHIN_MS,
    run: (services, { tenant_id, key }, ...signals) =>
      sendEvents(services, services.db.background(tenant_id), key, ...signals),
  },
  {
    kind: WAKE_DELIVERIES.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 10,
    restsWhileDraining: true,
    run: (services, _, ...signals) => wakeDeliveries(services, ...signals),
  },
  {
    kind: TELL_DUE_EVENTS.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 15,
    run: (services, _, signal) => tellDueEvents(services, signal),
  },
  {
    /** One job per deletion; the key is its name. */
    kind: PURGE,
    slots: { total: 4, perTenant: 4, perLane: 4 },
    maxPauseSeconds: 300,
    run: (services, { key }, signal) => purge(services, key, signal),
  },
  {
    kind: KEEP_USAGE.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 300,
    run: (services, _, signal) => keepUsage(services.db.system, signal),
  },
  {
    kind: KEY_ADDRESSES.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 300,
    /** One job that lasts, and one for each tenant with a customer in another country. */
    run: async (services, { key }, signal) => {
      const again = await keyAddresses(services.db.system, signal);
      return key === KEY_ADDRESSES.key || again === 'now' ? again : undefined;
    },
  },
];
