import { ok, route } from '../platform/http/handler.ts';
import * as contract from './limits.contract.ts';
import { listLimits } from './limits.db.ts';

export const limitRoutes = [
  route(contract.listLimits, async ({ q }) => ok({ items: await q.run(listLimits()) })),
];
