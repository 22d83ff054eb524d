/** A file of a drive, found. Sizes are in bytes. */
export interface DriveFile {
  id: string;
  name: string;
  mime_type: string;
  size: number | null;
  modified_at: string | null;
  folder_id: string | null;
  web_url: string | null;
}

/** A file of a drive with what is in it: as text where the bytes are UTF-8, else as base64. */
export interface DriveContent {
  id: string;
  name: string;
  /** What `content` is; of a document that was exported, the type that it was exported to. */
  mime_type: string;
  size: number;
  encoding: 'utf-8' | 'base64';
  content: string;
}

/** Where a drive is and how far it may be looked at. */
export interface DriveConnection {
  id: string;
  tenant_id: string;
  provider: string;
  /** As the tenant gave them: nothing about them is certain. */
  credentials: Readonly<Record<string, unknown>>;
  /** The only folders whose files may be seen; undefined: every one that the credentials reach. */
  folder_ids: readonly string[] | undefined;
}

export interface DriveSearch {
  /** Part of a file's name. */
  query?: string | undefined;
  mime_type?: string | undefined;
  /** The folder that a file stands in itself (not below it). */
  folder_id?: string | undefined;
  max_results: number;
}

/**
 * Customers' cloud drives (contract, section 7). Rejects with a ServiceError: not_found, payload_too_large over 10 MiB,
 * bad_gateway when the provider is down, refuses or talks nonsense.
 */
export interface Drive {
  search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]>;
  read(connection: DriveConnection, file_id: string): Promise<DriveContent>;
}
