import type { Readable } from 'node:stream';

export interface MediaRequest {
  /** The API's address, such as https://host/v23.0 */
  base_url: string;
  media_id: string;
  access_token: string;
  /** Aborts the download when the client leaves. */
  signal?: AbortSignal | undefined;
}

export interface OpenedMedia {
  mime_type: string | null;
  /** Bytes; null when the channel does not send it. */
  size: number | null;
  /** Errors after 25 MiB or on a timeout. Readers that stop early have to destroy it. */
  content: Readable;
}

/**
 * Media storage of the channel. Rejects with not_found when the medium is deleted, payload_too_large over 25 MiB, and
 * bad_gateway when the channel is down, hangs or sends an invalid response.
 */
export interface MediaSource {
  open(request: MediaRequest): Promise<OpenedMedia>;
}
