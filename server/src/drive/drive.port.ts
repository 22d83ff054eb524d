import type { Static } from 'typebox';
import type * as contract from './drive.contract.ts';

/** A file that a search found. */
export type DriveFile = Static<typeof contract.DriveFile>;

/** A file with its content: as text where the bytes are UTF-8, else as base64. */
export type DriveContent = Static<typeof contract.DriveFileContent>;

/** A drive with the limits of access to it. */
export interface DriveConnection {
  id: string;
  tenant_id: string;
  provider: string;
  /** As the tenant gave them, unchecked. */
  credentials: Readonly<Record<string, unknown>>;
  /** The only folders whose files may be seen; undefined for every folder that the credentials reach. */
  folder_ids: readonly string[] | undefined;
}

export interface DriveSearch {
  /** Part of a file's name. */
  query?: string | undefined;
  mime_type?: string | undefined;
  /** The folder that directly contains the file. */
  folder_id?: string | undefined;
  max_results: number;
}

/**
 * Customers' cloud drives (contract, section 7). Rejects with a ServiceError: not_found, payload_too_large over 10 MiB,
 * bad_gateway when the provider is down, refuses or answers something malformed.
 */
export interface Drive {
  search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]>;
  read(connection: DriveConnection, file_id: string): Promise<DriveContent>;
}
