import { found } from '../platform/errors.ts';
import { accepted, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './tasks.contract.ts';
import { findTask, listTasks } from './tasks.db.ts';
import { requestCancel } from './tasks.ts';

export const taskRoutes = [
  route(contract.listTasks, async ({ q, query }) => {
    const { status = null, instance_id = null } = query;
    return ok(await page(q, query, (...window) => listTasks({ status, instance_id }, ...window)));
  }),

  route(contract.getTask, async ({ q, params }) => ok(found('Task', await q.run(findTask(params.task_id))))),

  route(contract.cancelTask, async ({ q, params, body }) =>
    accepted(await requestCancel(q, params.task_id, body.expect_status ?? null)),
  ),
];
