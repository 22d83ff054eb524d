import { ok, route } from '../platform/http/handler.ts';
import type { Keyring } from '../secrets/keyring.ts';
import * as contract from './drive.contract.ts';
import type { Drive } from './drive.port.ts';
import { chooseDrive } from './drive.ts';

interface DriveServices {
  drive: Drive;
  keyring: Keyring;
}

export const driveRoutes = [
  route(contract.searchDrive, async ({ q, params, query }, { drive, keyring }: DriveServices) => {
    const connection = await chooseDrive(q, keyring, params.instance_id, query);
    return ok({ files: await drive.search(connection, query) });
  }),

  route(contract.readDriveFile, async ({ q, params, query }, { drive, keyring }: DriveServices) => {
    const connection = await chooseDrive(q, keyring, params.instance_id, query);
    return ok(await drive.read(connection, params.file_id));
  }),
];
