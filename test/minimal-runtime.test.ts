import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChatappEmulator, startChatappEmulator } from '../demo/src/chatapp-emulator.ts';
import { signatureOf, textMessage } from '../demo/src/webhook.ts';
import { call, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const PROGRAM = join(import.meta.dirname, '../docs/examples/minimal-runtime.mjs');
const parties = { phone_number_id: '187768953141096', sender: '61400000001', sender_name: 'Ana' };
const APP_SECRET = 'the app secret';
const access_token = 'the access token';

let emulator: ChatappEmulator;
let server: ServerProcess;
let credentials: Credentials;
let customer_id: string;
let instance_id: string;

beforeAll(async () => {
  emulator = await startChatappEmulator({ phone_number_id: parties.phone_number_id, access_token });
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start({
    RUNTIME_COMMAND: `${process.execPath} ${PROGRAM}`,
    CHATAPP_API_BASE_URL: emulator.base_url,
  });
});
afterAll(async () => {
  await server.remove();
  await emulator.close();
});

const make = (path: string, json: unknown) => call<{ id: string }>(credentials, 'POST', path, json);

const nextText = () => emulator.nextText(AbortSignal.timeout(20_000));

async function write(text: string): Promise<void> {
  const body = textMessage(parties, { id: `wamid.${randomUUID()}`, text, at: new Date() });
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': signatureOf(body, APP_SECRET),
  };
  const { status } = await fetch(`${credentials.base_url}/hooks/chatapp`, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

/** The environment of the only runtime. */
function environment(): Record<string, string> {
  const [runtime] = server.runtimes();
  const variables = readFileSync(`/proc/${runtime?.pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(variables.map((text) => text.split(/=(.*)/s).slice(0, 2)));
}

it('RUNTIME_COMMAND runs it as an instance that becomes well', async () => {
  customer_id = (await make('/v1/customers', { email: 'ops@example.com' })).id;
  await make(`/v1/customers/${customer_id}/connections`, {
    provider: 'chatapp',
    credentials: { access_token },
  });
  const recipe = await make('/v1/recipes', {
    name: 'Echo',
    connection_requirements: [{ provider: 'chatapp' }],
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
  expect(readFileSync(`/proc/${runtime?.pid}/cmdline`, 'utf8')).toContain('minimal-runtime.mjs');
});

it('answers what is written in the channel', async () => {
  await make('/v1/channel-endpoints', {
    channel: 'chatapp',
    phone_number_id: parties.phone_number_id,
    instance_id,
    verify_token: 'a word',
    app_secret: APP_SECRET,
  });
  await write('hello');
  expect(await nextText()).toEqual({ to: parties.sender, text: 'You wrote: hello' });
});

it('answers a copy of a message no second time, and a stranger not at all', async () => {
  const { PORT, MESSAGE_SECRET } = environment();
  const copy = {
    message_id: 'wamid.copy',
    channel: 'chatapp',
    external_id: parties.sender,
    customer_id,
    identity_id: null,
    text: 'once',
    received_at: new Date().toISOString(),
    raw: {
      metadata: { phone_number_id: parties.phone_number_id },
      contacts: [],
      message: { from: parties.sender },
    },
  };
  const post = async (secret: string | undefined) =>
    (
      await fetch(`http://127.0.0.1:${PORT}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify(copy),
      })
    ).status;
  expect(await post('wrong')).toBe(401);
  expect(await Promise.all([post(MESSAGE_SECRET), post(MESSAGE_SECRET)])).toEqual([200, 200]);
  expect(await post(MESSAGE_SECRET)).toBe(200);
  await write('twice?');
  expect([(await nextText()).text, (await nextText()).text]).toEqual([
    'You wrote: once',
    'You wrote: twice?',
  ]);
});

it('ends when the instance does', async () => {
  await call(credentials, 'DELETE', `/v1/instances/${instance_id}`);
  await until(credentials, instance_id, 'terminated');
  expect(server.runtimes()).toEqual([]);
});

it('has fewer than 60 lines and no dependency', async () => {
  const program = await readFile(PROGRAM, 'utf8');
  expect(program.split('\n').length - 1).toBeLessThan(60);
  const imported = [...program.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});
