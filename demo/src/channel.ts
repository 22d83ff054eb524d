import { randomBytes } from 'node:crypto';
import type { ChannelEndpoint, Identity } from '@agent-control-plane/sdk';
import type { Demo } from './demo.ts';
import { DemoError } from './errors.ts';
import { CHANNEL } from './scenario.ts';

/** Connects the number to the instance, answers the channel's challenge, and says who the sender is. */
export async function connectChannel(demo: Demo, customer_id: string, instance_id: string): Promise<void> {
  const { api, screen, scenario, step, made } = demo;
  const { phone_number_id, verify_token, app_secret, sender, sender_name } = scenario;
  screen.heading('Channel');
  const endpoint = await step(
    'Register the number',
    () =>
      api.call<ChannelEndpoint>('POST', '/v1/channel-endpoints', {
        channel: CHANNEL,
        phone_number_id,
        instance_id,
        verify_token,
        app_secret,
      }),
    ({ id }) => `phone_number_id ${phone_number_id}, endpoint ${id}`,
  );
  made.endpoint_id = endpoint.id;
  await step(
    'Verify the webhook',
    () => verifyWebhook(demo),
    (challenge) => `the challenge ${challenge} came back`,
  );
  const identity = { channel: CHANNEL, external_id: sender, display_name: sender_name, verified: true };
  await step(
    'Introduce the sender',
    () => api.callIfThere<Identity>('POST', `/v1/customers/${customer_id}/identities`, identity),
    (row) => row && `${sender_name}, +${sender}, identity ${row.id}`,
  );
}

/** What the channel does when a webhook is registered with it. */
async function verifyWebhook({ api, scenario }: Demo): Promise<string> {
  const challenge = randomBytes(6).toString('hex');
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': scenario.verify_token,
    'hub.challenge': challenge,
  });
  const response = await api.as({}).send('GET', `/hooks/chatapp?${query.toString()}`);
  const answer = await response.text();
  if (answer !== challenge)
    throw new DemoError(`GET /hooks/chatapp answered "${answer.slice(0, 100)}", not the challenge`);
  return challenge;
}
