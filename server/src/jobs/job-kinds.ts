import { type ChangeServices, chainAllChanges } from '../audit/changes.ts';
import { NotYet } from '../instances/task-execution/failures.ts';
import { runTask } from '../instances/task-execution/runner.ts';
import { FORWARD_MESSAGES } from '../messaging/inbox.db.ts';
import { type ForwardingServices, forwardMessages } from '../messaging/message-forwarding.ts';
import type { Database } from '../platform/db/database.ts';
import type { JobKind } from '../platform/queue/queue.ts';

/** Failed tries of a task before the last one, after which it is undone. */
const TASK_RETRIES = 3;
const LOOK_AGAIN_MS = 2000;

const CHAIN_EVERY_MS = 10_000;

/** The one job of its kind; a start enqueues it, and it runs for ever. */
export const CHAIN_CHANGES = { kind: 'chain_changes', key: 'all' };

type JobServices = Parameters<typeof runTask>[0] & ForwardingServices & ChangeServices & { db: Database };

/** Every kind of job. */
export const jobKinds = (services: JobServices): readonly JobKind[] => [
  {
    /** One job per task; the key is its id. */
    kind: 'run_task',
    slots: { total: 10, perTenant: 5, perLane: 5 },
    maxPauseSeconds: 30,
    run: async ({ tenant_id, key, attempts }) => {
      try {
        return await runTask(
          services,
          { tenant_id, task_id: key },
          { lastAttempt: attempts >= TASK_RETRIES },
        );
      } catch (error) {
        // A wait costs no attempt. Mostly the task is woken before.
        if (error instanceof NotYet) return new Date(Date.now() + LOOK_AGAIN_MS);
        throw error;
      }
    },
  },
  {
    /** One job per conversation, in the lane of its instance. Waiting for a runtime holds no database connection. */
    kind: FORWARD_MESSAGES,
    slots: { total: 64, perTenant: 16, perLane: 8 },
    maxPauseSeconds: 300,
    run: ({ tenant_id, key }, signal) =>
      forwardMessages(services, services.db.tenant(tenant_id), key, signal),
  },
  {
    kind: CHAIN_CHANGES.kind,
    slots: { total: 1, perTenant: 1, perLane: 1 },
    maxPauseSeconds: 10,
    run: async (_job, signal) => {
      await chainAllChanges(services, signal);
      return new Date(Date.now() + CHAIN_EVERY_MS);
    },
  },
];
