import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from '../call.ts';

export interface Endpoint {
  id: string;
  phone_number_id: string;
  app_secret: string;
}

const LENGTHS = [400, 1200, 2200];

export function webhookCall({ phone_number_id, app_secret }: Endpoint, number: number): Call {
  const from = `4915${String(100_000_000 + (number % 5000))}`;
  const message = {
    from,
    id: `wamid.${randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: 'Could somebody take my shift? '.repeat((LENGTHS[number % LENGTHS.length] ?? 0) / 30) },
  };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001111', phone_number_id },
    contacts: [{ profile: { name: 'Ada Lovelace' }, wa_id: from }],
    messages: [message],
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ field: 'messages', value }] }],
  });
  const signature = createHmac('sha256', app_secret).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
  return { method: 'POST', path: '/hooks/chatapp', headers, body };
}
