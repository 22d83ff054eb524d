import { mkdir } from 'node:fs/promises';
import type { Drive, DriveConnection, DriveContent, DriveFile, DriveSearch } from '../../drive/drive.port.ts';
import { notFound } from '../../platform/errors.ts';
import { driveFailure } from './content.ts';
import { FilesystemDrive } from './filesystem-drive.ts';
import type { GoogleDriveOptions } from './google-drive.ts';

interface DrivesOptions {
  google: GoogleDriveOptions;
  /** undefined: this provider is off. */
  filesystem_root: string | undefined;
}

type Load = () => Drive | Promise<Drive>;

/** Forwards each call to the drive of the connection's provider. */
export class Drives implements Drive {
  readonly #providers: ReadonlyMap<string, Load>;

  private constructor({ google, filesystem_root }: DrivesOptions) {
    this.#providers = new Map<string, Load>([
      ['google_drive', once(() => loadGoogleDrive(google))],
      ['filesystem', filesystem_root === undefined ? refuseFilesystem : ofFolder(filesystem_root)],
    ]);
  }

  /** Rejects with a one-line error that names the setting when the folder cannot be created. */
  static async open(options: DrivesOptions): Promise<Drives> {
    const { filesystem_root } = options;
    if (filesystem_root === undefined) return new Drives(options);
    await mkdir(filesystem_root, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`DRIVE_FILESYSTEM_ROOT cannot be a folder: ${error.code}`);
    });
    return new Drives(options);
  }

  async search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]> {
    return (await this.#of(connection)).search(connection, search);
  }

  async read(connection: DriveConnection, file_id: string): Promise<DriveContent> {
    return (await this.#of(connection)).read(connection, file_id);
  }

  async #of({ provider }: DriveConnection): Promise<Drive> {
    const load = this.#providers.get(provider);
    if (!load) throw notFound('Connection');
    return load();
  }
}

function ofFolder(root: string): Load {
  const drive = new FilesystemDrive(root);
  return () => drive;
}

function refuseFilesystem(): never {
  throw driveFailure('The drive filesystem is switched off');
}

/** Loaded on first use: the library takes megabytes, and many installations never need it. */
async function loadGoogleDrive(options: GoogleDriveOptions): Promise<Drive> {
  const { GoogleDrive } = await import('./google-drive.ts');
  return new GoogleDrive(options);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
