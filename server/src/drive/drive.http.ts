import { abortOnDisconnect, ok, route } from '../platform/http/handler.ts';
import { largeJson } from '../platform/http/large-json.ts';
import type { Services } from '../services.ts';
import * as contract from './drive.contract.ts';
import { chooseDrive } from './drive.ts';

export const driveRoutes = [
  route(contract.searchDrive, async ({ q, params, query }, services: Services) => {
    const connection = await chooseDrive(services, q, params.instance_id, query);
    return ok({ files: await services.drive.search(connection, query) });
  }),

  route(contract.readDriveFile, async ({ q, tenant_id, params, query, reply }, services: Services) => {
    const connection = await chooseDrive(services, q, params.instance_id, query);
    const read = async () => ok(await largeJson(await services.drive.read(connection, params.file_id)));
    return services.driveReads.run(tenant_id, read, abortOnDisconnect(reply));
  }),
];
