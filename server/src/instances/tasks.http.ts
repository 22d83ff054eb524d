import { found } from '../platform/errors.ts';
import { accepted, ok, route } from '../platform/http/handler.ts';
import * as contract from './tasks.contract.ts';
import { findTask } from './tasks.db.ts';
import { requestCancel } from './tasks.ts';

export const taskRoutes = [
  route(contract.getTask, async ({ q, params }) => ok(found('Task', await q.run(findTask(params.task_id))))),

  route(contract.cancelTask, async ({ q, params, body }) =>
    accepted(await requestCancel(q, params.task_id, body.expect_status ?? null)),
  ),
];
