import type { Readable } from 'node:stream';

/** One medium of the channel. */
export interface MediaRequest {
  /** The API's address, such as https://host/v23.0 */
  base_url: string;
  media_id: string;
  access_token: string;
  /** Ends the download when nobody waits for it. */
  signal?: AbortSignal | undefined;
}

export interface OpenedMedia {
  mime_type: string | null;
  /** Bytes, where the channel tells. */
  size: number | null;
  /** Errors after 25 MiB, and when the download takes too long. A reader that stops early has to destroy it. */
  content: Readable;
}

/**
 * Where the channel keeps what people send. Rejects with not_found where the channel has the medium no more,
 * payload_too_large over 25 MiB, and bad_gateway where the channel is down, hangs or answers something else.
 */
export interface MediaSource {
  open(request: MediaRequest): Promise<OpenedMedia>;
}
