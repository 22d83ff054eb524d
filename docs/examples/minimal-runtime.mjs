// The smallest runtime that the protocol allows (docs/write-a-runtime.md): it echoes messages.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const { HOST, PORT, INSTANCE_ID, MESSAGE_SECRET, CHATAPP_API_BASE_URL } = process.env;
let connections = {}; // by customer: [{provider, name, credentials}]
/** message_id → outcome. Concurrent copies wait for the same one. */
const outcomes = new Map();

async function send({ customer_id, external_id, text, raw }) {
  const mine = connections[customer_id]?.find(({ provider }) => provider === 'chatapp');
  if (!mine) return 502;
  const phone = raw.message.from;
  const response = await fetch(`${CHATAPP_API_BASE_URL}/${raw.metadata.phone_number_id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mine.credentials.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      ...(phone ? { to: phone } : { recipient: external_id }),
      type: 'text',
      text: { body: `You wrote: ${text ?? 'something that is not text'}`.slice(0, 4096) },
    }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => ({ status: 503 }));
  // A permanent refusal is final; after any other failure, another copy should come.
  return response.status < 500 && response.status !== 429 ? 200 : 502;
}

async function take(message) {
  const { message_id, customer_id } = message;
  if (customer_id === null) return 200; // an unknown customer: there is no token to answer with
  if (!outcomes.has(message_id)) outcomes.set(message_id, send(message));
  const status = await outcomes.get(message_id);
  if (status !== 200) outcomes.delete(message_id);
  if (outcomes.size > 10_000) outcomes.delete(outcomes.keys().next().value);
  return status;
}

const hash = (text) => createHash('sha256').update(text).digest();
const secret = hash(`Bearer ${MESSAGE_SECRET}`);

async function answer(request) {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /health') return 200;
  if (!timingSafeEqual(hash(request.headers.authorization ?? ''), secret)) return 401;
  if (route === 'POST /messages') return take(await json(request));
  if (route !== 'PUT /secrets') return 404;
  ({ connections } = await json(request));
  return 200;
}

async function serve(request, response) {
  response.statusCode = await answer(request).catch(() => 422);
  response.end(JSON.stringify({ status: 'ok', instance_id: INSTANCE_ID }));
}

const server = createServer((request, response) => void serve(request, response)).listen(Number(PORT), HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
