import { type FakeServer, type Said, type Seen, startFake } from './fake-server.ts';

export interface FakeSendApi extends FakeServer {
  /** The next replies in order; it accepts when empty. */
  script: Said[];
  /** The accepted texts in order. */
  texts: () => string[];
}

interface Sent {
  messaging_product: string;
  recipient_type: string;
  to?: string;
  recipient?: string;
  type: string;
  text: { body: string };
}

export const sentOf = ({ body }: Seen): Sent => body as Sent;

/** The WhatsApp Cloud API's `POST /{version}/{phone_number_id}/messages`. */
export async function startSendApi(): Promise<FakeSendApi> {
  const script: Said[] = [];
  const accepted: Seen[] = [];
  const fake = await startFake((seen) => {
    const next = script.shift();
    if (next !== undefined) return next;
    accepted.push(seen);
    const { to, recipient } = sentOf(seen);
    return {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [to === undefined ? { user_id: recipient } : { input: to, wa_id: to }],
        messages: [{ id: `wamid.out-${accepted.length}` }],
      },
    };
  });
  return { ...fake, script, texts: () => accepted.map((seen) => sentOf(seen).text.body) };
}
