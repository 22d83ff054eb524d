// Answers each message, `slow` ones once STATE_DIR has the file `released`, and logs there which it began and which answers
// were accepted.
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const { HOST, PORT, INSTANCE_ID, STATE_DIR, CONTROL_PLANE_URL, PROXY_KEY } = process.env;
const instance = `${CONTROL_PLANE_URL}/internal/v1/instances/${INSTANCE_ID}`;

async function answer({ conversation_id, message_id, text }) {
  appendFileSync(`${STATE_DIR}/begun`, `${text}\n`);
  while (text.startsWith('slow') && !existsSync(`${STATE_DIR}/released`)) await sleep(20);
  const response = await fetch(`${instance}/conversations/${conversation_id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PROXY_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: `answer to ${text}`, in_reply_to: message_id }),
    signal: AbortSignal.timeout(10_000),
  });
  const { id } = await response.json();
  if (!response.ok) return 502;
  appendFileSync(`${STATE_DIR}/accepted`, `${id}\n`);
  return 200;
}

async function serve(request, response) {
  response.statusCode = 200;
  if (request.url === '/messages') response.statusCode = await answer(await json(request)).catch(() => 502);
  else request.resume();
  response.end(JSON.stringify({ instance_id: INSTANCE_ID }));
}

const server = createServer((request, response) => void serve(request, response)).listen(Number(PORT), HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
