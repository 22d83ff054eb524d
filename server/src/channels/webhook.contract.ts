import Type from 'typebox';
import { operation } from '../platform/contract/operation.ts';
import { query, Text } from '../platform/contract/shapes.ts';

const tag = 'Webhook';

export const verifyWebhook = operation({
  id: 'verify_webhook',
  method: 'GET',
  path: '/hooks/chatapp',
  tag,
  summary: 'Answer the channel’s challenge',
  description: 'The challenge comes back when the token is one that an endpoint was registered with.',
  credential: 'none',
  scope: null,
  query: query({
    // No length limit: a long token is wrong (403), not malformed (422).
    'hub.mode': Type.Optional(Type.String()),
    'hub.verify_token': Type.Optional(Type.String()),
    'hub.challenge': Type.Optional(Text(1000)),
  }),
  responses: { 200: Type.String() },
  produces: ['text/plain'],
  failures: [403],
});

export const receiveWebhook = operation({
  id: 'receive_webhook',
  method: 'POST',
  path: '/hooks/chatapp',
  tag,
  summary: 'Receive messages of the channel',
  description:
    'Signed in X-Hub-Signature-256 (`sha256=<hex>`, HMAC over the body’s bytes) with the app secret of the endpoint written to. Messages are stored before the answer and forwarded after it. An address whose payloads do not verify is slowed (429) while nothing from it has verified within the hour.',
  credential: 'none',
  scope: null,
  rawBody: 'any',
  responses: { 200: Type.Object({}) },
  failures: [401, 413, 429, 503],
});
