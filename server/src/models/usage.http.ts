import { ok, route } from '../platform/http/handler.ts';
import * as contract from './usage.contract.ts';
import { readUsage } from './usage.ts';

export const usageRoutes = [
  route(contract.getUsage, async ({ q, query: { from, to, group_by = 'day' } }) =>
    ok(await readUsage(q, { from, to }, group_by.split(',') as contract.Group[])),
  ),
];
