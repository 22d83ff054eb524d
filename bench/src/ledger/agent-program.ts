// The runtime of the ledger's agents. For each message it asks the model, calls tools and answers, and reports all that.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from './recorder.ts';

const [recorder = ''] = process.argv.slice(2);
const { HOST, PORT, INSTANCE_ID, CONTROL_PLANE_URL, LLM_BASE_URL, LLM_API_KEY } = process.env;
const instance = `${CONTROL_PLANE_URL}/internal/v1/instances/${INSTANCE_ID}`;
const WITHIN_MS = 10_000;
/** Between a call and the answer, at most. */
const THINKS_MS = 400;
/** One message in so many asks for a tool that a person has to approve. */
const APPROVED_EVERY = 2;
let proxyKey = process.env.PROXY_KEY;

interface Given {
  message_id: string;
  conversation_id: string;
  external_id: string;
  kind: string;
  text: string | null;
  sender_token: string;
  approval?: { id: string; tool: string; status: string };
}

/** The control plane did not do it: the message has to come again. */
class Again extends Error {}

async function report(line: Report): Promise<void> {
  const body = JSON.stringify(line);
  await fetch(recorder, { method: 'POST', body, signal: AbortSignal.timeout(WITHIN_MS) }).catch(() => {});
}

const tried = (kind: string, key: string) => report({ what: 'tried', kind, key });
const done = (kind: string, key: string) => report({ what: 'done', kind, key });

/** Calls the control plane for a message. */
async function call(
  url: string,
  key: string,
  { sender_token }: Given,
  body: unknown,
  request_id = randomUUID(),
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-sender-token': sender_token,
      'x-request-id': request_id,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const { status, headers } = response;
  const asked = `POST ${new URL(url).pathname.replace(String(INSTANCE_ID), '…')}`;
  await report({
    what: 'answer',
    asked,
    status,
    retry_after: headers.get('retry-after') ?? undefined,
    json: answer,
  });
  if (!response.ok) throw new Again(`${asked} answered ${status}`);
  return answer;
}

async function askModel(given: Given): Promise<string> {
  const body = { messages: [{ role: 'user', content: given.text }] };
  const answer = (await call(`${LLM_BASE_URL}/chat/completions`, String(LLM_API_KEY), given, body)) as {
    choices: { message: { content: string } }[];
  };
  return answer.choices[0]?.message.content ?? '';
}

interface ToolAnswer {
  result?: { isError?: boolean; structuredContent?: { status?: string; approval_id?: string } };
}

/** The names under which a call is known to the ledger. */
const CALLS = 'calls of tools';
const ROWS = 'rows of the record of tool calls';

async function callTool(given: Given, name: string, key: string): Promise<ToolAnswer['result']> {
  const request_id = randomUUID();
  const params = { name, arguments: { key } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  await tried(ROWS, request_id);
  const answer = (await call(`${instance}/mcp`, String(proxyKey), given, body, request_id)) as ToolAnswer;
  if (!answer.result) throw new Again(`${name} was refused: ${JSON.stringify(answer)}`);
  await done(ROWS, request_id);
  return answer.result;
}

async function answer(given: Given, text: string): Promise<void> {
  const { conversation_id, message_id } = given;
  const url = `${instance}/conversations/${conversation_id}/messages`;
  const body = { text, in_reply_to: message_id };
  const { id } = (await call(url, String(proxyKey), given, body)) as { id: string };
  await done('accepted answers', id);
}

async function work(given: Given): Promise<void> {
  const { external_id, text } = given;
  const key = `${external_id} ${text}`;
  const said = await askModel(given);
  await tried(CALLS, key);
  const paid = await callTool(given, 'srv__pay', key);
  // A call of which nobody knows what became may have been made, and is not made again.
  if (!paid?.isError) await done(CALLS, key);
  await sleep(Math.random() * THINKS_MS);
  if (Number(/\d+$/.exec(String(text))?.[0]) % APPROVED_EVERY === 0) {
    await tried('approvals', key);
    const asked = await callTool(given, 'srv__transfer', key);
    if (asked?.structuredContent?.approval_id !== undefined) await done('approvals', key);
  }
  await answer(given, said);
}

async function take(given: Given): Promise<number> {
  const { external_id, message_id, kind, text, approval } = given;
  const isTrigger = kind === 'trigger';
  await report({ what: 'given', key: `${external_id} ${isTrigger || approval ? message_id : text}` });
  try {
    if (approval) await answer(given, `outcome ${approval.id} ${approval.status}`);
    else if (isTrigger) {
      await answer(given, `told ${message_id}`);
      await done('answers to triggers', message_id);
    } else await work(given);
    return 200;
  } catch {
    return 502;
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.statusCode = 200;
  if (request.url === '/messages') response.statusCode = await take((await json(request)) as Given);
  else if (request.url === '/secrets')
    proxyKey = ((await json(request)) as { proxy_key?: string }).proxy_key ?? proxyKey;
  else request.resume();
  response.end(JSON.stringify({ instance_id: INSTANCE_ID }));
}

const server = createServer((request, response) => void serve(request, response)).listen(Number(PORT), HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
