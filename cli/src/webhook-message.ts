import { createHmac } from 'node:crypto';

export interface SimulatedMessage {
  /** The number that is written to, by the channel's id for it. */
  readonly phone_number_id: string;
  /** The number of the person who writes, digits alone. */
  readonly from: string;
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly at: Date;
}

/** The bytes of a text message as the WhatsApp Cloud API posts it to a webhook. */
export function messageBytes({
  phone_number_id,
  from,
  name,
  id,
  text,
  at,
}: SimulatedMessage): Uint8Array<ArrayBuffer> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550100000', phone_number_id },
    contacts: [{ profile: { name }, wa_id: from }],
    messages: [{ from, id, timestamp, type: 'text', text: { body: text } }],
  };
  const entry = [{ id: '0', changes: [{ field: 'messages', value }] }];
  return new TextEncoder().encode(JSON.stringify({ object: 'whatsapp_business_account', entry }));
}

/** X-Hub-Signature-256 over the bytes as they are sent. */
export const signatureOf = (bytes: Uint8Array, app_secret: string): string =>
  `sha256=${createHmac('sha256', app_secret).update(bytes).digest('hex')}`;
