import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const WITHIN = { timeout: 60_000, interval: 100 };
const KEY = 'a-key-that-nobody-may-see';
const NO_MODEL = 'I cannot think about that right now. Send "help" to see what works all the same.';

type Respond = (response: ServerResponse) => void;

const respondWith =
  (status: number, type: string, body: string): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
const refuseWith = (status: number, message: string) =>
  respondWith(
    status,
    'application/json',
    JSON.stringify({ error: { message, type: 'an_error', code: null } }),
  );
const completion = (content: string) =>
  respondWith(200, 'application/json', JSON.stringify({ choices: [{ index: 0, message: { content } }] }));
const events = (...data: string[]) =>
  respondWith(200, 'text/event-stream', data.map((one) => `data: ${one}\n\n`).join(''));

let respond: Respond = completion('Well.');
let model: Server;
let server: ServerProcess;
let credentials: Credentials;
let instance_id: string;
beforeAll(async () => {
  model = createServer((request, response) => {
    request.resume().on('end', () => respond(response));
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start({
    LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    LLM_MODEL: 'a-model',
    LLM_API_KEY: KEY,
  });
  ({ instance_id } = await deploy(credentials));
  await until(credentials, instance_id, 'running');
});
afterAll(async () => {
  await server.remove();
  model.closeAllConnections();
  model.close();
});

const operators = (path: string, method = 'GET', body?: object) =>
  fetch(credentials.base_url + path, {
    method,
    headers: {
      authorization: `Bearer ${credentials.operations_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

async function metrics(): Promise<Map<string, number>> {
  const text = await (await operators('/metrics')).text();
  return new Map(
    [...text.matchAll(/^acp_llm_(?:up|requests_total\{outcome="(\w+)"\}) (\d+)$/gm)].map(
      ([, outcome = 'up', value]) => [outcome, Number(value)],
    ),
  );
}

interface Answer {
  author: string;
  text: string;
  error: string | null;
}

async function ask(text: string): Promise<Answer> {
  const path = `/v1/instances/${instance_id}/playground`;
  const sent = await call<{ conversation_id: string }>(credentials, 'POST', path, { text });
  return vi.waitFor(async () => {
    const messages = await call<{ items: Answer[] }>(
      credentials,
      'GET',
      `/v1/conversations/${sent.conversation_id}/messages`,
    );
    const answer = messages.items.find(({ author }) => author === 'agent');
    expect(answer).toBeDefined();
    return answer as Answer;
  }, WITHIN);
}

const callsCounted = async () =>
  (await call<{ total: { calls: number } }>(credentials, 'GET', '/v1/usage')).total.calls;

const runtimeWarned = async () => {
  const { items } = await call<{ items: { line: string }[] }>(
    credentials,
    'GET',
    `/v1/instances/${instance_id}/logs`,
  );
  return items.filter(({ line }) => line.includes('"llm_failed"')).length;
};

interface Reported {
  answer: string;
  error: string | null;
  calls: number;
  runtime_warnings: number;
  up: number | undefined;
  outcomes: Record<string, number>;
  logged: { status: number; provider_status?: number; code: string | null }[];
}

const modelErrorsIn = (output: string): Reported['logged'] =>
  output
    .split('\n')
    .filter((line) => line.includes('a model did not answer'))
    .map((line) => JSON.parse(line) as Reported['logged'][number])
    .map(({ status, provider_status, code }) => ({ status, provider_status, code }));

/** Asks once, and collects what the person, the admin and the operator see. */
async function askAndCollect(): Promise<Reported> {
  const [output, metricsBefore, callsBefore] = [server.output.length, await metrics(), await callsCounted()];
  const warned = await runtimeWarned();
  const { text, error } = await ask('What is the meaning of it all?');
  const hasFailed = text === NO_MODEL;
  await vi.waitFor(async () => expect(await runtimeWarned()).toBe(warned + Number(hasFailed)), WITHIN);
  const after = await metrics();
  const outcomes = [...after].flatMap(([name, count]) => {
    const more = count - (metricsBefore.get(name) ?? 0);
    return name === 'up' || more === 0 ? [] : [[name, more] as const];
  });
  const logged = await vi.waitFor(() => {
    const lines = modelErrorsIn(server.output.slice(output));
    // The service writes its log in blocks.
    expect(lines).toHaveLength(outcomes.reduce((sum, [name, more]) => sum + (name === 'ok' ? 0 : more), 0));
    return lines;
  }, WITHIN);
  return {
    answer: text,
    error,
    calls: (await callsCounted()) - callsBefore,
    runtime_warnings: (await runtimeWarned()) - warned,
    up: after.get('up'),
    outcomes: Object.fromEntries(outcomes),
    logged,
  };
}

const failedTwice = { answer: NO_MODEL, calls: 2, runtime_warnings: 1, outcomes: { failed: 2 } };
const twice = (status: number, provider_status: number | undefined, code: string | null = null) => {
  const entry = { status, provider_status, code };
  return { ...failedTwice, logged: [entry, entry] };
};
const well = { answer: 'Well.', error: null, calls: 1, up: 1, outcomes: { ok: 1 }, logged: [] };
const chunk = { choices: [{ index: 0, delta: { content: 'Well.' }, finish_reason: 'stop' }] };

/** The reference runtime's client retries where that may help. */
const BROKEN: [string, Respond, Partial<Reported>][] = [
  ['nothing', completion('Well.'), well],
  ['nothing where a provider only streams', events(JSON.stringify(chunk), '[DONE]'), well],
  [
    'too many requests',
    refuseWith(429, 'Rate limit reached'),
    { ...twice(429, 429), error: 'The model’s provider answered 429: Rate limit reached', up: 0 },
  ],
  [
    'an answer without words',
    completion(''),
    {
      ...well,
      answer: NO_MODEL,
      runtime_warnings: 1,
      error: 'The model gave no answer that can be used',
    },
  ],
  [
    'a refused key',
    refuseWith(401, `Incorrect API key provided: ${KEY}`),
    {
      ...twice(502, 401),
      error: 'The model’s provider answered 401: Incorrect API key provided: [secret]',
      up: 0,
    },
  ],
  [
    'a failure',
    refuseWith(500, 'Internal error'),
    { ...twice(500, 500), error: 'The model’s provider answered 500: Internal error', up: 0 },
  ],
  [
    'a page of HTML',
    respondWith(200, 'text/html', '<html>Welcome to nginx!</html>'),
    { ...twice(502, undefined, 'bad_answer'), error: 'The model’s answer is no JSON object', up: 0 },
  ],
  [
    'an empty body',
    respondWith(200, 'application/json', ''),
    { ...twice(502, undefined, 'bad_answer'), error: 'The model’s answer is no JSON object', up: 0 },
  ],
  [
    'silence',
    () => {},
    {
      answer: NO_MODEL,
      error: 'The model did not answer in time',
      calls: 1,
      runtime_warnings: 1,
      up: 0,
      outcomes: { aborted: 1 },
      logged: [{ status: 502, code: 'timeout' }],
    },
  ],
];

it.each(BROKEN)(
  'tells everybody of %s within a minute',
  { timeout: 180_000 },
  async (_name, broken, expected) => {
    respond = broken;
    expect(await askAndCollect()).toMatchObject(expected);
    expect(server.output).not.toContain(KEY);
  },
);

it('tells everybody of a dead address, and of its recovery', { timeout: 180_000 }, async () => {
  const path = '/internal/v1/llm-providers/default';
  const base_url = `http://127.0.0.1:${await freePort()}/v1`;
  await operators(path, 'PUT', { base_url, api_key: KEY });
  const error = 'Not reachable (ECONNREFUSED)';
  expect(await askAndCollect()).toMatchObject({
    ...twice(502, undefined, 'provider_unreachable'),
    error,
    up: 0,
  });
  await operators(path, 'DELETE');
  respond = completion('Well.');
  expect(await askAndCollect()).toMatchObject(well);
});
