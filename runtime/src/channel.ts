import type { InboundMessage } from './inbound-message.ts';
import { type Log, reasonOf } from './log.ts';
import { signalAfter } from './signal-after.ts';

interface Settings {
  /** undefined: the control plane does it. */
  chatappApiBaseUrl: string | undefined;
  timeoutMs: number;
  /** undefined: the customer has no channel connection. */
  tokenOf: (customerId: string) => string | undefined;
  log: Log;
}

const channel = 'chatapp';

/** Sends a read receipt and a typing indicator. Returns at once; failures are only logged, because answers do not need them. */
export function createShowReading({ chatappApiBaseUrl, timeoutMs, tokenOf, log }: Settings) {
  async function show(message: InboundMessage, accessToken: string): Promise<void> {
    const { phone_number_id = '', message_ids, message_id } = message;
    try {
      const response = await fetch(`${chatappApiBaseUrl}/${encodeURIComponent(phone_number_id)}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          status: 'read',
          message_id: message_ids.at(-1) ?? message_id,
          typing_indicator: { type: 'text' },
        }),
        redirect: 'error',
        signal: signalAfter(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) log.debug('not_shown_as_read', { message_id, status: response.status });
    } catch (error) {
      log.debug('not_shown_as_read', { message_id, status: 0, reason: reasonOf(error) });
    }
  }

  return (message: InboundMessage): void => {
    const { customer_id, phone_number_id, kind } = message;
    const accessToken = tokenOf(customer_id);
    const isFromChannel = message.channel === channel && kind !== 'trigger' && phone_number_id !== undefined;
    if (chatappApiBaseUrl !== undefined && isFromChannel && accessToken !== undefined)
      void show(message, accessToken);
  };
}
