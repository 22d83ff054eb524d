import { abortOnDisconnect, created, route } from '../platform/http/handler.ts';
import { largeJson } from '../platform/http/large-json.ts';
import type { Services } from '../services.ts';
import * as contract from './save-from-instance.contract.ts';
import { saveFromInstance } from './save-from-instance.ts';

export const saveFromInstanceRoutes = [
  route(contract.saveFromInstance, ({ q, params, body, reply }, services: Services) => {
    const { name, description = null } = body;
    const call = { q, services, signal: abortOnDisconnect(reply) };
    return saveFromInstance(call, params.instance_id, { name, description }, async (saved) =>
      created(await largeJson(saved)),
    );
  }),
];
