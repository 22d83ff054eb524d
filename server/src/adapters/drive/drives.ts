import { mkdir } from 'node:fs/promises';
import type { Drive, DriveConnection, DriveContent, DriveFile, DriveSearch } from '../../domain/ports.ts';
import { notFound } from '../../errors.ts';
import { FilesystemDrive } from './filesystem-drive.ts';
import { GoogleDrive, type GoogleDriveOptions } from './google-drive.ts';

export interface DrivesOptions {
  google: GoogleDriveOptions;
  filesystem_root: string;
}

/** The drives of every provider; each connection's provider tells which. */
export class Drives implements Drive {
  readonly #providers: ReadonlyMap<string, Drive>;

  private constructor({ google, filesystem_root }: DrivesOptions) {
    this.#providers = new Map<string, Drive>([
      ['google_drive', new GoogleDrive(google)],
      ['filesystem', new FilesystemDrive(filesystem_root)],
    ]);
  }

  /** Rejects with one line that names the setting when the folder of the drives cannot be one. */
  static async open(options: DrivesOptions): Promise<Drives> {
    await mkdir(options.filesystem_root, { recursive: true, mode: 0o700 }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new Error(`DRIVE_FILESYSTEM_ROOT cannot be a folder: ${error.code}`);
      },
    );
    return new Drives(options);
  }

  async search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]> {
    return this.#of(connection).search(connection, search);
  }

  async read(connection: DriveConnection, file_id: string): Promise<DriveContent> {
    return this.#of(connection).read(connection, file_id);
  }

  #of({ provider }: DriveConnection): Drive {
    const drive = this.#providers.get(provider);
    if (!drive) throw notFound('Connection');
    return drive;
  }
}
