import { createHmac } from 'node:crypto';

/** Who writes to which number of the channel. */
export interface Parties {
  /** The number that is written to, by the channel's id for it. */
  phone_number_id: string;
  /** The number of the person who writes, digits alone. */
  sender: string;
  sender_name: string;
}

/** The bytes of a text message as the WhatsApp Cloud API posts it to a webhook. */
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

/** X-Hub-Signature-256 over the bytes as they are sent. */
export const signatureOf = (bytes: Uint8Array, app_secret: string): string =>
  `sha256=${createHmac('sha256', app_secret).update(bytes).digest('hex')}`;
