import { getTask } from '../instances/tasks.contract.ts';
import { findTask, type TaskRow } from '../instances/tasks.db.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Int, query } from '../platform/contract/shapes.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import { found } from '../platform/errors.ts';
import { Bell } from '../platform/http/bell.ts';
import { type Call, ok, route } from '../platform/http/handler.ts';

/** A notification may be lost. */
const READ_EVERY_MS = 1000;

const contract = operation({
  ...getTask,
  id: 'wait_for_task',
  summary: 'Wait for a task to end',
  mcp: {
    waits: true,
    says: 'Wait until a task ends or the time is over, and get it. While `finished_at` is null, wait again.',
  },
  query: query({
    timeout_seconds: about(Int({ minimum: 1, maximum: 50, default: 30 }), '1 to 50; 30 by default'),
  }),
});

interface WaitServices {
  notifications: Notifications;
  onStopping: (listener: () => void) => () => void;
}

/** Also ends when the client disconnects, the caller loses access or the service stops. */
async function waitForTask(
  { q, params, query, reply, onRefused }: Call<typeof contract>,
  { notifications, onStopping }: WaitServices,
): Promise<TaskRow> {
  const read = async () => found('Task', await q.run(findTask(params.task_id)));
  const until = performance.now() + query.timeout_seconds * 1000;
  let task = await read();
  if (task.finished_at !== null) return task;
  const bell = new Bell();
  const close = () => bell.close();
  const unwatch = await onRefused(close);
  const unstop = onStopping(close);
  const unsubscribe = notifications.subscribe('instance_events', (id) => {
    if (id === task.instance_id) bell.ring();
  });
  if (reply.raw.destroyed) close();
  reply.raw.once('close', close);
  try {
    for (let left = Infinity; left > 0 && task.finished_at === null && !bell.isClosed; ) {
      bell.arm();
      task = await read();
      left = until - performance.now();
      if (task.finished_at === null && left > 0) await bell.rung(Math.min(left, READ_EVERY_MS));
    }
    return task;
  } finally {
    unwatch();
    unstop();
    unsubscribe();
    reply.raw.off('close', close);
  }
}

/** Only a tool: HTTP clients follow an instance's events as a stream. */
export const waitForTaskRoute = route(contract, async (call, services: WaitServices) =>
  ok(await waitForTask(call, services)),
);
