import { reasonOf } from './log.ts';
import type { InboundMessage } from './message.ts';

/** accepted: the API took it. refused: it never will. failed: worth another try. */
export interface SendResult {
  result: 'accepted' | 'refused' | 'failed';
  /** 0 when no answer came. */
  status: number;
  /** Why none came: `ECONNREFUSED`, `TimeoutError`, or `TypeError` for a token that no header can carry. */
  reason?: string;
}

/** Answers the message in its channel with the access token. Never throws. */
export type Send = (message: InboundMessage, text: string, accessToken: string) => Promise<SendResult>;

const maxCharacters = 4096;
const cutNote = '\n… (cut: the answer is too long for one message)';

/** The text within the API's 4096 characters, never ending in half a character. */
function fit(text: string): string {
  if (text.length <= maxCharacters) return text;
  const kept = text.slice(0, maxCharacters - cutNote.length);
  return (/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept) + cutNote;
}

function verdict(status: number): SendResult['result'] {
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'failed';
}

/** A client of the WhatsApp Cloud API's text messages; senders without a phone number are addressed by `recipient`. */
export function createSend(settings: { chatappApiBaseUrl: string; timeoutMs: number }): Send {
  return async (message, text, accessToken) => {
    const address =
      message.sender_phone === undefined ? { recipient: message.external_id } : { to: message.sender_phone };
    try {
      const path = `${encodeURIComponent(message.phone_number_id)}/messages`;
      const response = await fetch(`${settings.chatappApiBaseUrl}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          ...address,
          type: 'text',
          text: { body: fit(text.toWellFormed()) },
        }),
        redirect: 'error',
        signal: AbortSignal.timeout(settings.timeoutMs),
      });
      await response.body?.cancel();
      return { result: verdict(response.status), status: response.status };
    } catch (error) {
      return { result: 'failed', status: 0, reason: reasonOf(error) };
    }
  };
}
