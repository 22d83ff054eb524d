import * as contract from '../contract/drive.ts';
import { chooseDrive } from '../domain/drive.ts';
import { ok, route, untilGone } from './handler.ts';
import { largeJson } from './large-json.ts';

export const driveRoutes = [
  route(contract.searchDrive, async ({ q, services, params, query }) => {
    const connection = await chooseDrive(services, q, params.instance_id, query);
    return ok({ files: await services.drive.search(connection, query) });
  }),

  route(contract.readDriveFile, async ({ q, tenant_id, services, params, query, reply }) => {
    const connection = await chooseDrive(services, q, params.instance_id, query);
    const read = async () => ok(await largeJson(await services.drive.read(connection, params.file_id)));
    return services.driveReads.run(tenant_id, read, untilGone(reply));
  }),
];
