import { readsCustomers } from '../customers/customer-names.ts';
import { ok, route } from '../platform/http/handler.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './listed-triggers.contract.ts';
import { listTriggers } from './listed-triggers.ts';

export const triggerRoutes = [
  route(contract.listInstanceTriggers, async (call, services: { keyring: Keyring }) => {
    const { q, actor, params, query } = call;
    const asked = { ...params, ...query, readsCustomers: readsCustomers(actor) };
    return ok(await listTriggers(services, q, asked));
  }),
];
