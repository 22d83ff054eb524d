import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { call, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const ECHO = join(import.meta.dirname, '../docs/examples/minimal-runtime.mjs');
/** Below the rate limit of a key. */
const WAIT = { timeout: 180_000, interval: 100 };

interface Chat {
  messages: { role: string; content: string | null }[];
  tools?: { function: { name: string } }[];
}

/** By the end of a question to the model: the tool calls before its answer. */
const chats: Chat[] = [];
const toolCalls = new Map<string, { name: string; arguments: object }>();

function reply(chat: Chat): object {
  chats.push(chat);
  const { role, content } = chat.messages.at(-1) ?? { role: '', content: '' };
  const wanted = role === 'user' ? toolCalls.get(content ?? '') : undefined;
  if (!wanted) return { role: 'assistant', content: `Said: ${content}` };
  const { name, arguments: args } = wanted;
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The service lists models at its start.
  if (request.method === 'GET') return void response.end('{}');
  const message = reply((await json(request)) as Chat);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
}

let model: Server;
let server: ServerProcess;
let credentials: Credentials;
let customer_id: string;

const api = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  call<T>(credentials, method, path, body);
const make = async (path: string, body: unknown) => (await api<{ id: string }>('POST', path, body)).id;

beforeAll(async () => {
  model = createServer((request, response) => {
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start({
    LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    LLM_MODEL: 'm',
    LLM_API_KEY: 'a key',
  });
  customer_id = await make('/v1/customers', { email: `${randomUUID()}@example.com` });
});
afterAll(async () => {
  await server.remove();
  model.close();
  model.closeAllConnections();
});

async function deploy(fields: object, more: object = {}): Promise<string> {
  const recipe_id = await make('/v1/recipes', { name: 'R', ...fields });
  const first = async (path: string) => (await api<{ items: { id: string }[] }>('GET', path)).items[0]?.id;
  const { instance_id } = await api<{ instance_id: string }>('POST', '/v1/recipes/deploy', {
    customer_id,
    recipe_id,
    tier_id: await first('/v1/tiers'),
    region_id: await first('/v1/regions'),
    hostname: 'agent.example.com',
    ...more,
  });
  await until(credentials, instance_id, 'running');
  return instance_id;
}

async function say(instance_id: string, text: string, more: object = {}): Promise<string> {
  const path = `/v1/instances/${instance_id}/playground`;
  const { conversation_id } = await api<{ conversation_id: string }>('POST', path, { text, ...more });
  return vi.waitFor(async () => {
    const { items } = await api<{ items: { author: string; text: string }[] }>(
      'GET',
      `/v1/conversations/${conversation_id}/messages`,
    );
    const answer = items.find(({ author }) => author === 'agent');
    return answer?.text ?? expect.fail('No answer yet');
  }, WAIT);
}

const lastChat = () => chats.at(-1) ?? expect.unreachable();
const systemOf = (chat: Chat) => chat.messages[0]?.content ?? '';

const policy = (id: string) => api('GET', `/v1/instances/${id}/pin-policy`);

const putManifest = async (id: string, manifest: object) => {
  const response = await fetch(`${credentials.base_url}/internal/v1/manifests/${id}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${credentials.operations_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(manifest),
  });
  expect(response.status).toBe(201);
};

it('sends the model system_prompt and the customer’s instructions, and the tools of active skills', async () => {
  await api('PUT', `/v1/customers/${customer_id}/rules`, { instructions: ['Never name a price.'] });
  const instance_id = await deploy({
    system_prompt: 'You are Pilot.',
    skills: ['staff_query', 'worker_shifts', 'timesheet', { slug: 'drive_search' }],
    module_config: { worker_shifts: { enabled: false } },
  });
  expect(await say(instance_id, 'Tell me a story')).toBe('Said: Tell me a story');
  expect(systemOf(lastChat())).toMatch(
    /^You are Pilot\.\n\nRules that you always keep:\n- Never name a price\./,
  );
  const tools = new Set(lastChat().tools?.map((tool) => tool.function.name));
  for (const name of ['who_can', 'log_hours', 'my_timesheets', 'find_file', 'read_file'])
    expect(tools).toContain(name);
  expect(tools).not.toContain('my_shifts');
});

it('lets the agent read files in the folders of data_access alone', async () => {
  await mkdir(join(server.dataDir, 'drive'), { recursive: true });
  await make(`/v1/customers/${customer_id}/connections`, {
    provider: 'filesystem',
    credentials: { root: 'shop' },
  });
  const root = join(server.dataDir, 'drive', credentials.tenant_id, 'shop');
  await mkdir(join(root, 'open'), { recursive: true });
  await writeFile(join(root, 'open', 'price list.txt'), 'Crane: 90 a day');
  const read = 'How much is a crane?';
  toolCalls.set(read, { name: 'read_file', arguments: { name: 'price list' } });
  const fields = {
    skills: [{ slug: 'drive_search', public: true }],
    connection_requirements: [{ provider: 'filesystem', optional: true }],
  };
  const open = await deploy(fields);
  expect(await say(open, read)).toBe('Said: price list.txt:\nCrane: 90 a day');
  for (const data_access of [
    { folder_ids: ['other'] },
    { drive: { folder_ids: ['other'] } },
    { folder_ids: 1 },
  ]) {
    const closed = await deploy({ ...fields, data_access });
    expect(await say(closed, read)).toBe('Said: I found no file named price list.');
  }
});

it('answers strangers for public skills, and requires a PIN for protected ones', async () => {
  const lookUp = 'who can forklift';
  const closed = await deploy({ skills: ['staff_query'] });
  expect(await say(closed, lookUp)).not.toMatch(/Nobody active/);
  const open = await deploy({ skills: [{ slug: 'staff_query', public: true }] });
  expect(await say(open, lookUp)).toBe('Nobody active can forklift.');
  const off = await deploy({
    skills: [{ slug: 'staff_query', public: true, pin_required: true }],
    module_config: { staff_query: { enabled: false } },
  });
  expect(await say(off, lookUp)).toBe('That is not part of this agent.');
  expect(await policy(off)).toMatchObject({ pin_required_skills: [] });
  const locked = await deploy({ skills: [{ slug: 'staff_query', pin_required: true }] });
  expect(await policy(locked)).toMatchObject({ pin_required_skills: ['staff_query'] });
});

it('runs the command of the manifest, and a new one after an upgrade', async () => {
  await putManifest('echo', { name: 'Echo', command: [process.execPath, ECHO] });
  const instance_id = await deploy({}, { manifest_id: 'echo' });
  expect(await say(instance_id, 'hello')).toBe('You wrote: hello');
  const { task_id } = await api<{ task_id: string }>('POST', `/v1/instances/${instance_id}/upgrade`, {
    instance_overrides: { manifest_id: null },
  });
  await vi.waitFor(async () => {
    expect(await api('GET', `/v1/tasks/${task_id}`)).toMatchObject({ status: 'succeeded' });
  }, WAIT);
  expect(await say(instance_id, 'hello')).toBe('Said: hello');
  const logged = await vi.waitFor(async () => {
    const { items } = await api<{ items: { message: string | null }[] }>(
      'GET',
      `/v1/instances/${instance_id}/events?per_page=100`,
    );
    return items.map(({ message }) => message);
  }, WAIT);
  expect(logged).not.toContain('Onboarding flow attached');
});
