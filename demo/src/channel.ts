import { randomBytes } from 'node:crypto';
import type { Demo } from './demo.ts';
import { DemoError } from './errors.ts';
import { CHANNEL } from './scenario.ts';
import { callWebhook } from './webhook.ts';

export async function connectChannel(demo: Demo, customer_id: string, instance_id: string): Promise<void> {
  const { acp, screen, scenario, step, signal, made } = demo;
  const { phone_number_id, verify_token, app_secret, sender, sender_name } = scenario;
  screen.heading('Channel');
  const endpoint = await step(
    'Register the number',
    () =>
      acp.channels.createEndpoint(
        { channel: CHANNEL, phone_number_id, instance_id, verify_token, app_secret },
        { signal },
      ),
    ({ id }) => `phone_number_id ${phone_number_id}, endpoint ${id}`,
  );
  made.endpoint_id = endpoint.id;
  await step(
    'Verify the webhook',
    () => verifyWebhook(demo),
    (challenge) => `the challenge ${challenge} was returned`,
  );
  const identity = {
    channel: CHANNEL,
    external_id: sender,
    display_name: sender_name,
    verified: true,
  } as const;
  await step(
    'Register the sender',
    () => acp.identities.create(customer_id, identity, { signal }),
    ({ id }) => `${sender_name}, +${sender}, identity ${id}`,
  );
}

/** As the channel does at its registration. */
async function verifyWebhook({ credentials, scenario, signal }: Demo): Promise<string> {
  const challenge = randomBytes(6).toString('hex');
  const query = {
    'hub.mode': 'subscribe',
    'hub.verify_token': scenario.verify_token,
    'hub.challenge': challenge,
  };
  const answer = await callWebhook(credentials.base_url, { query }, signal);
  if (answer !== challenge)
    throw new DemoError(`GET /hooks/chatapp answered "${answer.slice(0, 100)}", not the challenge`);
  return challenge;
}
