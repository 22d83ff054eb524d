import * as contract from '../contract/tasks.ts';
import { cancelTask, getTask } from '../domain/tasks.ts';
import { accepted, ok, route } from './handler.ts';

export const taskRoutes = [
  route(contract.getTask, async ({ q, params }) => ok(await getTask(q, params.task_id))),

  route(contract.cancelTask, async ({ q, params, body, services }) =>
    accepted(await cancelTask(q, params.task_id, body.expect_status ?? null, services.clock())),
  ),
];
