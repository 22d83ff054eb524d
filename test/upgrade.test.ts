import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { type ChatappEmulator, startChatappEmulator } from '../demo/src/chatapp-emulator.ts';
import { signatureOf, textMessage } from '../demo/src/webhook.ts';
import { stepsOf } from '../server/src/provisioning/steps.ts';
import { queryOnce } from '../server/test/support/connection.ts';
import { call, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const PROGRAM = join(import.meta.dirname, '../docs/examples/minimal-runtime.mjs');
const parties = { phone_number_id: '187768953141096', sender: '61400000001', sender_name: 'Ana' };
const APP_SECRET = 'the app secret';
const access_token = 'the access token';
const SEND_EVERY_MS = 300;
/** Below the rate limit of a key. */
const WAIT = { timeout: 180_000, interval: 250 };

let emulator: ChatappEmulator;
let server: ServerProcess;
let environment: Record<string, string>;
let credentials: Credentials;
let recipe_id: string;
let instance_id: string;

const sent = new Set<string>();
const answered = new Set<string>();
const stopListening = new AbortController();
/** Ends the sending; pending answers still arrive. */
const stopSending = new AbortController();
let talk: Promise<unknown>;

beforeAll(async () => {
  emulator = await startChatappEmulator({ phone_number_id: parties.phone_number_id, access_token });
  server = await ServerProcess.inNewDirectory();
  environment = {
    PORT: String(await freePort()),
    MTLS_PORT: String(await freePort()),
    RUNTIME_COMMAND: `${process.execPath} ${PROGRAM}`,
    CHATAPP_API_BASE_URL: emulator.base_url,
  };
  credentials = await server.start(environment);
  await deployAgent();
  await query('create table held_steps (step text)');
  await query('grant select on held_steps to public');
  await query(`create function hold_step() returns trigger language plpgsql as $$
    begin
      if exists (select from held_steps h where h.step = new.step and new.status = 'done') then
        perform pg_sleep(30);
      end if;
      return new;
    end $$`);
  await query(
    'create trigger hold_step before insert or update on task_steps for each row execute function hold_step()',
  );
  talk = Promise.all([sendMessages(), collectAnswers()]);
});
afterAll(async () => {
  stopSending.abort();
  stopListening.abort();
  await talk;
  await server.remove();
  await emulator.close();
});

function query<Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
  const password = readFileSync(join(server.dataDir, 'postgres.password'), 'utf8').trim();
  const port = readFileSync(join(server.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  return queryOnce(`postgres://postgres:${password}@127.0.0.1:${port}/control_plane`, text, values);
}

const make = (path: string, json: unknown) => call<{ id: string }>(credentials, 'POST', path, json);

async function deployAgent(): Promise<void> {
  const { id: customer_id } = await make('/v1/customers', { email: `${randomUUID()}@example.com` });
  for (const provider of ['chatapp', 'odd', 'even']) {
    await make(`/v1/customers/${customer_id}/connections`, { provider, credentials: { access_token } });
  }
  recipe_id = (await make('/v1/recipes', { name: 'Talker', ...contentOf(1) })).id;
  const tiers = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/tiers');
  const regions = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/regions');
  const deployed = await call<{ instance_id: string }>(credentials, 'POST', '/v1/recipes/deploy', {
    recipe_id,
    customer_id,
    tier_id: tiers.items[0]?.id,
    region_id: regions.items[0]?.id,
    hostname: 'talker.example.com',
  });
  instance_id = deployed.instance_id;
  await until(credentials, instance_id, 'running');
  await make('/v1/channel-endpoints', {
    channel: 'chatapp',
    phone_number_id: parties.phone_number_id,
    instance_id,
    verify_token: 'a word',
    app_secret: APP_SECRET,
  });
}

const contentOf = (revision: number) => ({
  system_prompt: `revision ${revision}`,
  skills: Array.from({ length: revision }, (_, index) => ({ slug: `skill-${index}`, pin_required: true })),
  connection_requirements: ['chatapp', revision % 2 === 0 ? 'even' : 'odd'],
});

/** Counts only accepted messages. */
async function sendMessages(): Promise<void> {
  for (let number = 1; !stopSending.signal.aborted; number++) {
    const text = `message ${number}`;
    const body = textMessage(parties, { id: `wamid.${randomUUID()}`, text, at: new Date() });
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': signatureOf(body, APP_SECRET),
    };
    const response = await fetch(`${credentials.base_url}/hooks/chatapp`, {
      method: 'POST',
      headers,
      body,
    }).catch(() => undefined);
    if (response?.status === 200) sent.add(text);
    await new Promise((resolve) => setTimeout(resolve, SEND_EVERY_MS));
  }
}

async function collectAnswers(): Promise<void> {
  while (!stopListening.signal.aborted) {
    const message = await emulator.nextText(stopListening.signal).catch(() => undefined);
    if (message) answered.add(message.text.replace('You wrote: ', ''));
  }
}

const revisionNow = async () =>
  (await call<{ revision: number }>(credentials, 'GET', `/v1/recipes/${recipe_id}`)).revision;

/** Upgrades to a new revision, and kills the service between the step's work and its record. */
async function killedIn(step: string, cancel = false): Promise<string> {
  const revision = (await revisionNow()) + 1;
  await call(credentials, 'PUT', `/v1/recipes/${recipe_id}`, contentOf(revision));
  await query('insert into held_steps values ($1)', [step]);
  const { task_id } = await call<{ task_id: string }>(
    credentials,
    'POST',
    `/v1/instances/${instance_id}/upgrade`,
    {},
  );
  await vi.waitFor(async () => {
    const held = await query(`select from pg_stat_activity where wait_event = 'PgSleep'`);
    expect(held).toHaveLength(1);
  }, WAIT);
  await query('delete from held_steps');
  await server.end('SIGKILL');
  if (cancel) {
    // Without jobs, so that the task cannot end before it is canceled.
    credentials = await server.start({ ...environment, ROLE: 'api' });
    await call(credentials, 'POST', `/v1/tasks/${task_id}/cancel`);
    expect(await server.end('SIGTERM')).toBe(0);
  }
  credentials = await server.start(environment);
  return task_id;
}

const ended = (task_id: string, status: string) =>
  vi.waitFor(async () => {
    const task = await call(credentials, 'GET', `/v1/tasks/${task_id}`);
    expect(task).toMatchObject({ kind: 'upgrade', status });
  }, WAIT);

/** Every part is of the same revision. */
async function isAt(revision: number, pins: number): Promise<void> {
  const content = contentOf(revision);
  const instance = await call(credentials, 'GET', `/v1/instances/${instance_id}`);
  expect(instance).toMatchObject({
    status: 'running',
    recipe_revision: revision,
    resolved_config: { system_prompt: content.system_prompt },
  });
  const deployments = await query(
    `select recipe_revision, resolved_config ->> 'system_prompt' as prompt from deployments where instance_id = $1`,
    [instance_id],
  );
  expect(deployments).toEqual([{ recipe_revision: revision, prompt: content.system_prompt }]);
  const grants = await query<{ provider: string }>(
    `select c.provider from instance_grants g join connections c on c.id = g.connection_id
     where g.instance_id = $1 order by 1`,
    [instance_id],
  );
  expect(grants.map(({ provider }) => provider)).toEqual(content.connection_requirements.toSorted());
  const policy = await call<{ pin_required_skills: string[] }>(
    credentials,
    'GET',
    `/v1/instances/${instance_id}/pin-policy`,
  );
  expect(policy.pin_required_skills).toHaveLength(pins);
  expect(await query('select from upgrades')).toEqual([]);
}

const allAnswered = () =>
  vi.waitFor(() => expect([...sent].filter((text) => !answered.has(text))).toEqual([]), WAIT);

describe('an upgrade of a talking instance whose service is killed', () => {
  it.each(stepsOf.upgrade.map(({ name }) => name))('in the step %s ends upgraded', async (name) => {
    const task_id = await killedIn(name);
    await ended(task_id, 'succeeded');
    const revision = await revisionNow();
    await isAt(revision, revision);
  });

  it('that is canceled meanwhile restores the revision before', async () => {
    const before = await revisionNow();
    const task_id = await killedIn('wire_channels', true);
    await ended(task_id, 'canceled');
    await isAt(before, before);
  });

  it('loses no message', async () => {
    expect(sent.size).toBeGreaterThan(stepsOf.upgrade.length);
    stopSending.abort();
    await allAnswered();
  });
});
