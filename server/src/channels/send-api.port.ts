import type { JsonObject } from '../platform/json/json-object.ts';
import type { Trace } from '../platform/tracing.ts';

/** One message for the channel's send API. */
export interface SendRequest {
  /** The API's address, such as https://host/v23.0 */
  base_url: string;
  phone_number_id: string;
  access_token: string;
  body: JsonObject;
  trace?: Trace | undefined;
}

/**
 * - accepted: the channel has taken it.
 * - unauthorized: the credential is at fault, not the message.
 * - refused: the channel never takes this message; `reason` has its code and words.
 * - failed: it was not taken, and is worth another try.
 * - unknown: nobody can say whether it was taken.
 */
export interface SendResult {
  outcome: 'accepted' | 'unauthorized' | 'refused' | 'failed' | 'unknown';
  /** Without secrets. */
  reason: string;
  /** The channel's id of what it has taken. */
  channel_id?: string | undefined;
}

/** The channel's send API. Never rejects. */
export interface SendApi {
  send(request: SendRequest): Promise<SendResult>;
}
