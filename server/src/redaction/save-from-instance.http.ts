import { created, route } from '../platform/http/handler.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './save-from-instance.contract.ts';
import { saveFromInstance } from './save-from-instance.ts';

export const saveFromInstanceRoutes = [
  route(contract.saveFromInstance, async ({ q, params, body }, services: { keyring: Keyring }) => {
    const { name, description = null } = body;
    return created(await saveFromInstance(services, q, params.instance_id, { name, description }));
  }),
];
