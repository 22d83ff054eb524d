import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './bindings.contract.ts';
import { addBinding, listBindings } from './bindings.ts';
import { ofStaff } from './staff.ts';

export const bindingRoutes = [
  route(contract.listBindings, async ({ q, params, query }) => {
    const list = pageOf(query, (...window) => listBindings(q, params, ...window));
    return ok(await ofStaff(q, params, list));
  }),

  route(contract.createBinding, async ({ q, params, body }, services: Services) => {
    const { channel_type, channel_address, code = null } = body;
    const binding = { ...params, channel_type, channel_address, code };
    return created(await addBinding(q, services.keyring, binding, services.clock()));
  }),
];
