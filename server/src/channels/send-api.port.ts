import type { JsonObject } from '../platform/json/json-object.ts';
import type { Trace } from '../platform/tracing.ts';

export interface SendRequest {
  /** The API's address, such as https://host/v23.0 */
  base_url: string;
  phone_number_id: string;
  access_token: string;
  body: JsonObject;
  trace?: Trace | undefined;
}

/**
 * - accepted: the channel has taken the message.
 * - unauthorized: the credential is refused.
 * - refused: final; `reason` has the channel's code and message.
 * - failed: not taken, can be retried.
 * - limited: not taken, because too much was sent from the number, or from it to the recipient.
 * - unknown: it may have been taken.
 */
export interface SendResult {
  outcome: 'accepted' | 'unauthorized' | 'refused' | 'failed' | 'limited' | 'unknown';
  /** Without secrets. */
  reason: string;
  /** The channel's id of the message. */
  channel_id?: string | undefined;
  /** With `limited`: the limit is that of the number and the recipient together. */
  is_of_pair?: boolean | undefined;
  /** The pause that the channel names, with `limited`. */
  pause_ms?: number | undefined;
}

export interface UploadRequest extends Omit<SendRequest, 'body'> {
  file: { content: Blob; mime_type: string; filename: string };
}

/** Neither rejects. */
export interface SendApi {
  send(request: SendRequest): Promise<SendResult>;
  /** Gives the channel a file that a message then names by `channel_id`. Never `unknown`: it may be repeated. */
  upload(request: UploadRequest): Promise<SendResult>;
}
