import { accepted, ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './tasks.contract.ts';
import { cancelTask, getTask } from './tasks.ts';

export const taskRoutes = [
  route(contract.getTask, async ({ q, params }) => ok(await getTask(q, params.task_id))),

  route(contract.cancelTask, async ({ q, params, body }, services: Services) =>
    accepted(await cancelTask(q, params.task_id, body.expect_status ?? null, services.clock())),
  ),
];
