import * as contract from '../contract/bindings.ts';
import { addBinding, listBindings } from '../domain/bindings.ts';
import { ofStaff } from '../domain/staff.ts';
import { created, ok, route } from './handler.ts';
import { page } from './page.ts';

export const bindingRoutes = [
  route(contract.listBindings, async ({ q, params, query }) => {
    const list = page(query, (...window) => listBindings(q, params, ...window));
    return ok(await ofStaff(q, params, list));
  }),

  route(contract.createBinding, async ({ q, services, params, body }) => {
    const { channel_type, channel_address, code = null } = body;
    const binding = { ...params, channel_type, channel_address, code };
    return created(await addBinding(q, services.keyring, binding, services.clock()));
  }),
];
