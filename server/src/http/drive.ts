import * as contract from '../contract/drive.ts';
import { chooseDrive } from '../domain/drive.ts';
import { ok, route } from './handler.ts';

export const driveRoutes = [
  route(contract.searchDrive, async ({ q, services, params, query }) => {
    const connection = await chooseDrive(services, q, params.instance_id, query);
    return ok({ files: await services.drive.search(connection, query) });
  }),

  route(contract.readDriveFile, async ({ q, services, params, query }) => {
    const connection = await chooseDrive(services, q, params.instance_id, query);
    return ok(await services.drive.read(connection, params.file_id));
  }),
];
