import { createHmac } from 'node:crypto';
import { DemoError, reasonOf } from './errors.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_LENGTH = 300;

export interface Parties {
  /** The channel's id of the receiving number. */
  phone_number_id: string;
  /** Only digits. */
  sender: string;
  sender_name: string;
}

export function textMessage(
  parties: Parties,
  message: { id: string; text: string; at: Date },
): Uint8Array<ArrayBuffer> {
  const { phone_number_id, sender, sender_name } = parties;
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550100000', phone_number_id },
    contacts: [{ profile: { name: sender_name }, wa_id: sender }],
    messages: [
      {
        from: sender,
        id: message.id,
        timestamp: String(Math.floor(message.at.getTime() / 1000)),
        type: 'text',
        text: { body: message.text },
      },
    ],
  };
  const payload = {
    object: 'whatsapp_business_account',
    entry: [{ id: '0', changes: [{ field: 'messages', value }] }],
  };
  return new TextEncoder().encode(JSON.stringify(payload));
}

export const signatureOf = (bytes: Uint8Array, app_secret: string): string =>
  `sha256=${createHmac('sha256', app_secret).update(bytes).digest('hex')}`;

/** Throws DemoError without a 2xx response. */
export async function callWebhook(
  base_url: string,
  { query, ...request }: RequestInit & { query?: Record<string, string> },
  signal: AbortSignal,
): Promise<string> {
  const line = `${request.method ?? 'GET'} /hooks/chatapp`;
  const url = `${base_url}/hooks/chatapp?${new URLSearchParams(query).toString()}`;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const either = AbortSignal.any([signal, timeout]);
  try {
    const response = await fetch(url, { ...request, signal: either });
    const text = (await response.text()).slice(0, MAX_ANSWER_LENGTH);
    if (response.ok) return text;
    throw new DemoError(`${line} answered ${response.status}: ${text}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DemoError) throw error;
    // Its later use keeps the time limit, which AbortSignal.any alone does not.
    const why = timeout.aborted ? `within ${TIMEOUT_MS / 1000} s` : `(${reasonOf(error)})`;
    throw new DemoError(`${line} was not answered ${why}`);
  }
}
