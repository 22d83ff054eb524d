import type { Static } from 'typebox';
import type * as contract from './drive.contract.ts';

export type DriveFile = Static<typeof contract.DriveFile>;

/** Text where the bytes are UTF-8, else base64. */
export type DriveContent = Static<typeof contract.DriveFileContent>;

export interface DriveConnection {
  id: string;
  tenant_id: string;
  provider: string;
  /** The tenant's, unchecked. */
  credentials: Readonly<Record<string, unknown>>;
  /** Only files in these folders are visible; undefined for all folders. */
  folder_ids: readonly string[] | undefined;
}

export interface DriveSearch {
  /** Part of a file's name. */
  query?: string | undefined;
  mime_type?: string | undefined;
  /** The direct parent. */
  folder_id?: string | undefined;
  max_results: number;
}

/**
 * Contract, section 7. ServiceError not_found, payload_too_large over 10 MiB, or bad_gateway when the provider is down,
 * refuses or sends a malformed response.
 */
export interface Drive {
  search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]>;
  read(connection: DriveConnection, file_id: string): Promise<DriveContent>;
}
