import * as contract from '../contract/save-from-instance.ts';
import { saveFromInstance } from '../domain/save-from-instance.ts';
import { created, route } from './handler.ts';

export const saveFromInstanceRoutes = [
  route(contract.saveFromInstance, async ({ q, services, params, body }) => {
    const { name, description = null } = body;
    return created(await saveFromInstance(q, services.keyring, params.instance_id, { name, description }));
  }),
];
