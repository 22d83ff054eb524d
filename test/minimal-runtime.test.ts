import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChatappEmulator, startChatappEmulator } from '../demo/src/chatapp-emulator.ts';
import { signatureOf, textMessage } from '../demo/src/webhook.ts';
import { fetchRuntime } from '../server/src/adapters/process-engine/connections.ts';
import { runtimeUrl } from '../server/src/adapters/runtime-pools.ts';
import { queryOnce } from '../server/test/support/connection.ts';
import { FakeToolServer } from '../server/test/support/tool-server.ts';
import { call, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const EXAMPLES = join(import.meta.dirname, '../docs/examples');
const parties = { phone_number_id: '187768953141096', sender: '61400000001', sender_name: 'Ana' };
const APP_SECRET = 'the app secret';
const access_token = 'the access token';
const WAIT = { timeout: 180_000, interval: 50 };

/** A wrapper on the path may stand in place of the interpreter. */
const python = () =>
  execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

const isOfPython = (module: string) =>
  execFileSync('python3', ['-c', `import sys; print('${module}' in sys.stdlib_module_names)`], {
    encoding: 'utf8',
  }).trim() === 'True';

const programs: [string, () => string, RegExp, (module: string) => boolean][] = [
  ['minimal-runtime.mjs', () => process.execPath, /from '([^']+)'/g, (name) => name.startsWith('node:')],
  ['minimal_runtime.py', python, /^(?:import|from) (\w+)/gm, isOfPython],
];

/** With `required` it has a network of its own, with `preferred` the machine's. */
const runs = programs.flatMap(([file, interpreter, imports, isBuiltIn]) =>
  ['preferred', 'required'].map((mode) => ({ file, mode, interpreter, imports, isBuiltIn })),
);

interface Message {
  author: string;
  text: string;
}

describe.each(runs)('$file where isolation is $mode', ({ file, mode, interpreter, imports, isBuiltIn }) => {
  let emulator: ChatappEmulator;
  let server: ServerProcess;
  let credentials: Credentials;
  let instance_id: string;
  const crm = new FakeToolServer();

  beforeAll(async () => {
    await crm.start();
    emulator = await startChatappEmulator({ phone_number_id: parties.phone_number_id, access_token });
    server = await ServerProcess.inNewDirectory();
    credentials = await server.start({
      RUNTIME_COMMAND: `${interpreter()} ${join(EXAMPLES, file)}`,
      CHATAPP_API_BASE_URL: emulator.base_url,
      RUNTIME_ISOLATION: mode,
      MCP_ALLOWED_HOSTS: '127.0.0.1',
    });
  });
  afterAll(async () => {
    await server.remove();
    await emulator.close();
    crm.stop();
  });

  const make = (path: string, json: unknown) => call<{ id: string }>(credentials, 'POST', path, json);
  const nextText = () => emulator.nextText(AbortSignal.timeout(WAIT.timeout));

  async function write(text: string): Promise<void> {
    const body = textMessage(parties, { id: `wamid.${randomUUID()}`, text, at: new Date() });
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': signatureOf(body, APP_SECRET),
    };
    const { status } = await fetch(`${credentials.base_url}/hooks/chatapp`, {
      method: 'POST',
      headers,
      body,
    });
    expect(status).toBe(200);
  }

  function environment(): Record<string, string> {
    const [runtime] = server.runtimes();
    const variables = readFileSync(`/proc/${runtime?.pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(variables.map((text) => text.split(/=(.*)/s).slice(0, 2)));
  }

  /** As the service knows it. */
  async function address(): Promise<string> {
    const rows = await queryOnce<{ address: string }>(
      await server.databaseUrl(),
      `select address from runtimes where instance_id = '${instance_id}'`,
    );
    return rows[0]?.address ?? expect.unreachable();
  }

  const messagesIn = async (conversation_id: string) =>
    (await call<{ items: Message[] }>(credentials, 'GET', `/v1/conversations/${conversation_id}/messages`))
      .items;

  async function talk(text: string, answer = `You wrote: ${text}`) {
    const sent = await call<{ conversation_id: string; message_id: string }>(
      credentials,
      'POST',
      `/v1/instances/${instance_id}/playground`,
      { text },
    );
    await vi.waitFor(async () => {
      const answers = (await messagesIn(sent.conversation_id)).filter(({ author }) => author === 'agent');
      expect(answers).toMatchObject([{ text: answer }]);
    }, WAIT);
    return sent;
  }

  /** As the control plane. @returns the status */
  async function forward(message: object, secret?: string): Promise<number> {
    const { MESSAGE_SECRET } = environment();
    const response = await fetchRuntime(runtimeUrl(await address(), '/messages'), {
      method: 'POST',
      headers: { authorization: `Bearer ${secret ?? MESSAGE_SECRET}` },
      body: JSON.stringify(message),
    });
    return response.status;
  }

  it('becomes a healthy instance as RUNTIME_COMMAND', async () => {
    const customer_id = (await make('/v1/customers', { email: 'ops@example.com' })).id;
    await make(`/v1/customers/${customer_id}/connections`, {
      provider: 'chatapp',
      credentials: { access_token },
    });
    const recipe = await make('/v1/recipes', {
      name: 'Echo',
      connection_requirements: [{ provider: 'chatapp' }],
      mcp_servers: [{ name: 'crm', url: crm.url }],
    });
    const tiers = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/tiers');
    const regions = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/regions');
    const deployed = await call<{ instance_id: string }>(credentials, 'POST', '/v1/recipes/deploy', {
      customer_id,
      recipe_id: recipe.id,
      tier_id: tiers.items[0]?.id,
      region_id: regions.items[0]?.id,
      hostname: 'echo.example.com',
    });
    instance_id = deployed.instance_id;
    await until(credentials, instance_id, 'running');
    const [runtime] = server.runtimes();
    expect(readFileSync(`/proc/${runtime?.pid}/cmdline`, 'utf8')).toContain(file);
  });

  it('answers messages of the channel', async () => {
    await make('/v1/channel-endpoints', {
      channel: 'chatapp',
      phone_number_id: parties.phone_number_id,
      instance_id,
      verify_token: 'a word',
      app_secret: APP_SECRET,
    });
    await write('hello');
    expect(await nextText()).toMatchObject({ to: parties.sender, text: 'You wrote: hello' });
    await write('and again');
    expect(await nextText()).toMatchObject({ to: parties.sender, text: 'You wrote: and again' });
  });

  it('answers duplicates once, and only the control plane', async () => {
    const { conversation_id, message_id } = await talk('once');
    const copy = { conversation_id, message_id, text: 'once', sender_token: null };
    expect(await forward(copy, 'wrong')).toBe(401);
    expect(await Promise.all([forward(copy), forward(copy)])).toEqual([200, 200]);
    expect(await messagesIn(conversation_id)).toHaveLength(2);
  });

  it.runIf(file.endsWith('.py'))('calls a tool, for the message that asks for it', async () => {
    await talk('use crm__book {"text": "J-1"}', 'book: J-1');
    expect(crm.calls).toMatchObject([{ args: { text: 'J-1' }, idempotency_key: expect.any(String) }]);
    await talk('use crm__sing {}', 'Unknown tool crm__sing');
    await talk('use crm__book {"text"}', 'The arguments are not JSON.');
  });

  it('gives up after a takeover, after a deletion, and for messages without text', async () => {
    const { conversation_id, message_id } = await talk('hello?');
    const message = { conversation_id, message_id: randomUUID(), text: 'later' };
    expect(await forward({ ...message, message_id, text: null })).toBe(200);
    await call(credentials, 'PATCH', `/v1/conversations/${conversation_id}`, { mode: 'human' });
    expect(await forward(message)).toBe(200);
    await call(credentials, 'DELETE', `/v1/conversations/${conversation_id}`);
    expect(await forward(message)).toBe(200);
  });

  it('takes a new proxy key', async () => {
    await call(credentials, 'POST', `/v1/instances/${instance_id}/proxy-key`);
    await talk('with another key');
  });

  it('requests another delivery when its answer was refused', async () => {
    const { conversation_id, message_id } = await talk('refused');
    const { MESSAGE_SECRET } = environment();
    const { status } = await fetchRuntime(runtimeUrl(await address(), '/secrets'), {
      method: 'PUT',
      headers: { authorization: `Bearer ${MESSAGE_SECRET}` },
      body: JSON.stringify({ proxy_key: 'one that opens nothing', connections: {} }),
    });
    expect(status).toBe(200);
    expect(await forward({ conversation_id, message_id, text: 'refused' })).toBe(502);
  });

  it('ends when the instance does', async () => {
    await call(credentials, 'DELETE', `/v1/instances/${instance_id}`);
    await until(credentials, instance_id, 'terminated');
    expect(server.runtimes()).toEqual([]);
  });

  it('is short and has no dependency', async () => {
    const program = await readFile(join(EXAMPLES, file), 'utf8');
    expect(program.split('\n').length - 1).toBeLessThan(file.endsWith('.py') ? 90 : 60);
    const imported = [...program.matchAll(imports)].map(([, name]) => name ?? '');
    expect(imported.length).toBeGreaterThan(2);
    expect(imported.filter((name) => !isBuiltIn(name))).toEqual([]);
  });
});
