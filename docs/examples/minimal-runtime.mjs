// The smallest runtime that the protocol allows (docs/write-a-runtime.md): it echoes messages.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const { HOST, PORT, INSTANCE_ID, MESSAGE_SECRET, PROXY_KEY, CONTROL_PLANE_URL } = process.env;
const base = `${CONTROL_PLANE_URL}/internal/v1/instances/${INSTANCE_ID}`;
let proxyKey = PROXY_KEY; // it rotates

/** Answers through the control plane. A copy of a message needs no memory: the first answer to it stands. */
async function take({ conversation_id, message_id, text, sender_token }) {
  if (text === null) return 200; // a reaction, a picture, a notice of the channel: nothing to echo
  // A tap comes back as a message with the title as its text.
  const choices = text === 'choices' && { buttons: ['One', 'Two'].map((title) => ({ id: title, title })) };
  const response = await fetch(`${base}/conversations/${conversation_id}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${proxyKey}`,
      'content-type': 'application/json',
      ...(sender_token && { 'x-sender-token': sender_token }),
    },
    body: JSON.stringify({ text: `You wrote: ${text}`, ...choices, in_reply_to: message_id }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => ({ status: 503 }));
  // 409: a person has the conversation. 404: it was deleted. After any other failure, another copy should come.
  return response.status < 300 || response.status === 404 || response.status === 409 ? 200 : 502;
}

const hash = (text) => createHash('sha256').update(text).digest();
const secret = hash(`Bearer ${MESSAGE_SECRET}`);

async function answer(request) {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /health') return 200;
  if (!timingSafeEqual(hash(request.headers.authorization ?? ''), secret)) return 401;
  if (route === 'POST /messages') return take(await json(request));
  if (route !== 'PUT /secrets') return 404;
  proxyKey = (await json(request)).proxy_key ?? proxyKey;
  return 200;
}

async function serve(request, response) {
  response.statusCode = await answer(request).catch(() => 422);
  response.end(JSON.stringify({ status: 'ok', instance_id: INSTANCE_ID }));
}

const server = createServer((request, response) => void serve(request, response)).listen(Number(PORT), HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
