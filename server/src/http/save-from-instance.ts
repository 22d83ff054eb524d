import * as contract from '../contract/save-from-instance.ts';
import { saveFromInstance } from '../domain/save-from-instance.ts';
import { created, route, untilGone } from './handler.ts';
import { largeJson } from './large-json.ts';

export const saveFromInstanceRoutes = [
  route(contract.saveFromInstance, ({ q, services, params, body, reply }) => {
    const { name, description = null } = body;
    const call = { q, services, signal: untilGone(reply) };
    return saveFromInstance(call, params.instance_id, { name, description }, async (saved) =>
      created(await largeJson(saved)),
    );
  }),
];
