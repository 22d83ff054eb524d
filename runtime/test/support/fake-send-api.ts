import { type FakeReply, type FakeServer, startFake } from './fake-server.ts';

export interface FakeSendApi extends FakeServer {
  /** The next replies in order; it accepts when empty. */
  script: FakeReply[];
}

/** The WhatsApp Cloud API's `POST /{version}/{phone_number_id}/messages`, for read receipts. */
export async function startSendApi(): Promise<FakeSendApi> {
  const script: FakeReply[] = [];
  const fake = await startFake(() => script.shift() ?? { status: 200, body: { success: true } });
  return { ...fake, script };
}
