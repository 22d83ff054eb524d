import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../src/areas.ts';
import type { Operation, SenderTraits } from '../../src/platform/contract/operation.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { listChanges } from '../support/changes.ts';
import type { Client } from '../support/client.ts';
import { configure, messagesIn, uniqueId, uniqueSender, WAIT } from '../support/conversations.ts';
import { createIdentity } from '../support/customers.ts';
import { pdf } from '../support/files.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { cannedModel, emptyDrive, PROVIDER } from '../support/operations.ts';
import { PinRoutes } from '../support/pins.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

const TOKEN_MINUTES = 15;
const NOT_INTRODUCED = { status: 403, text: '{"detail":"not_introduced"}' };
const TOKEN_REQUIRED = { status: 403, text: '{"detail":"sender_token_required"}' };

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ drive: emptyDrive, llmClient: cannedModel });
  await service.operations.put('/internal/v1/llm-providers/default', PROVIDER);
  tenant = await service.createTenant();
});
afterAll(() => service.stop());
afterEach(() => {
  service.runtimes.onMessage = () => {};
});

interface Forwarded {
  conversation_id: string;
  message_id: string;
  identity_id: string | null;
  customer_id: string;
  sender_token: string;
  text: string;
  history: { author: string; text: string }[];
}

const forwardedTo = ({ runtime_address }: TestInstance) =>
  service.runtimes.messages
    .filter(({ address }) => address === runtime_address)
    .map(({ message }) => message as unknown as Forwarded);

const forwardedWith = (instance: TestInstance, text: string) =>
  vi.waitFor(() => {
    const message = forwardedTo(instance).findLast((one) => one.text === text);
    return message ?? expect.unreachable('not forwarded');
  }, WAIT);

const say = async (agent: TestEndpoint, sender: string, text = `hi ${randomUUID()}`) => {
  await sendMessages(service, agent, textMessage(uniqueId(), text, sender));
  return forwardedWith(agent.instance, text);
};

const runtimeOf = async (instance: TestInstance): Promise<Client> => {
  const { services } = service.service;
  const key = await addProxyKey(services, services.db.tenant(tenant.tenant_id), instance.id);
  return service.anonymous.with({ authorization: `Bearer ${key}` });
};
const withToken = (client: Client, token: string) => client.with({ 'x-sender-token': token });

const addIdentity = async (customer_id: string, external_id: string, verified: boolean) => {
  const identity = { channel: 'chatapp', external_id, verified };
  const { status, body } = await tenant.api.post<{ id: string }>(
    `/v1/customers/${customer_id}/identities`,
    identity,
  );
  expect(status).toBe(201);
  return body.id;
};

const addWorker = async (
  instance: TestInstance,
  customer_id: string,
  address: string,
  state = 'verified',
) => {
  const staff = `/internal/v1/instances/${instance.id}/staff?customer_id=${customer_id}`;
  const { body } = await service.operations.post<{ id: string }>(staff, { name: 'Ana' });
  const binding = { channel_type: 'chatapp', channel_address: address };
  const path = `/v1/customers/${customer_id}/staff/${body.id}/bindings`;
  expect((await tenant.api.post(path, binding)).status).toBe(201);
  await service.database.query('update staff_bindings set state = $2 where person_id = $1', [body.id, state]);
  return body.id;
};

const addDrive = (customer_id: string, name: string) =>
  tenant.api.post(`/v1/customers/${customer_id}/connections`, {
    provider: 'filesystem',
    name,
    credentials: { root: 'files' },
  });

/** A dedicated instance with a number. */
const createAgent = async () => {
  const agent = await createEndpoint(service, tenant);
  await configure(service, agent.instance, {}, 30);
  return { agent, runtime: await runtimeOf(agent.instance), path: pathOf(agent.instance) };
};
const pathOf = ({ id }: TestInstance) => `/internal/v1/instances/${id}`;

/** Everything that a sender of a shared instance's customer may name. */
interface Known {
  customer_id: string;
  identity_id: string;
  conversation_id: string;
  person_id: string;
  hostname: string;
  address: string;
  token: string;
}

const createKnown = async (instance: TestInstance, customer_id: string): Promise<Known> => {
  const address = uniqueSender();
  const identity_id = await addIdentity(customer_id, address, true);
  const person_id = await addWorker(instance, customer_id, address);
  const hostname = `${randomUUID()}.example.com`;
  await tenant.api.post(`/v1/customers/${customer_id}/websites`, { hostname });
  await addDrive(customer_id, `drive-of-${customer_id}`);
  await tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: '2468' });
  const number = { phone_number_id: randomUUID(), app_secret: randomUUID(), verify_token: randomUUID() };
  const endpoint = { channel: 'chatapp', instance_id: instance.id, customer_id, ...number };
  expect((await tenant.api.post('/v1/channel-endpoints', endpoint)).status).toBe(201);
  const text = randomUUID();
  await sendMessages(service, number, textMessage(uniqueId(), text, address));
  const { conversation_id, sender_token: token } = await forwardedWith(instance, text);
  return { customer_id, identity_id, conversation_id, person_id, hostname, address, token };
};

const createShared = async () => {
  const instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
  const second = await placeCustomer(service, instance.id);
  const own = await createKnown(instance, instance.customer_id);
  const other = await createKnown(instance, second);
  return { instance, own, other, runtime: await runtimeOf(instance), path: pathOf(instance) };
};

type Ask = [method: string, path: string, body?: object];
/** Bytes are sent as they are. */
const bodyOf = (body?: object) => (body instanceof Uint8Array ? { raw: body } : { json: body });
const driveOf = ({ customer_id }: Known): Ask => [
  'GET',
  `/drive/search?connection_name=drive-of-${customer_id}`,
];
const me = (address: string) => `channel_type=chatapp&channel_address=${address}`;
const addressed = (path: string) => ({
  address: ({ address }: Known): Ask => ['GET', `${path}?${me(address)}`],
});
const ofCustomer = (path: string) => ({
  customer_id: ({ customer_id }: Known): Ask => ['GET', `${path}?customer_id=${customer_id}`],
});

/** For each operation and each field that names something, a request with it. */
const requests: Record<string, Record<string, (known: Known, own: Known) => Ask>> = {
  list_staff: ofCustomer('/staff'),
  list_expiring_certs: ofCustomer('/staff/expiring-certs'),
  create_staff: {
    customer_id: ({ customer_id }) => ['POST', `/staff?customer_id=${customer_id}`, { name: 'Bo' }],
  },
  import_staff: {
    customer_id: ({ customer_id }) => ['POST', `/staff/import?customer_id=${customer_id}`, { staff: [] }],
  },
  get_staff: { person_id: ({ person_id }) => ['GET', `/staff/${person_id}`] },
  update_staff: { person_id: ({ person_id }) => ['PATCH', `/staff/${person_id}`, { name: 'Bo' }] },
  search_drive: ofCustomer('/drive/search'),
  read_drive_file: ofCustomer('/drive/read/file'),
  list_my_assignments: {
    ...addressed('/worker/me/assignments'),
    customer_id: ({ customer_id }, own) => [
      'GET',
      `/worker/me/assignments?${me(own.address)}&customer_id=${customer_id}`,
    ],
  },
  ask_eligibility: {
    customer_id: ({ customer_id }) => ['POST', `/eligibility?customer_id=${customer_id}`, {}],
  },
  get_my_eligibility: {
    ...addressed('/worker/me/eligibility'),
    customer_id: ({ customer_id }, own) => [
      'GET',
      `/worker/me/eligibility?${me(own.address)}&customer_id=${customer_id}`,
    ],
  },
  list_my_certs: addressed('/worker/me/certs'),
  list_my_shifts: addressed('/worker/me/shifts'),
  list_my_timesheets: addressed('/worker/me/timesheets'),
  create_my_timesheet: {
    address: ({ address }) => [
      'POST',
      `/worker/me/timesheet?${me(address)}`,
      { date: '2026-01-31', hours: 1 },
    ],
  },
  verify_worker: {
    address: ({ address }) => [
      'POST',
      '/worker/verify',
      { channel_type: 'chatapp', channel_address: address, response: 'yes' },
    ],
    customer_id: ({ customer_id }, { address }) => [
      'POST',
      `/worker/verify?customer_id=${customer_id}`,
      { channel_type: 'chatapp', channel_address: address, response: 'yes' },
    ],
  },
  // Tested in server/test/channels/media.test.ts.
  get_instance_media: {},
  // Tested in server/test/tools/approvals.test.ts.
  get_instance_approval: {},
  look_up_identity: {
    address: ({ address }) => ['GET', `/lookup/identity?channel=chatapp&external_id=${address}`],
  },
  resolve_domain: { hostname: ({ hostname }) => ['GET', `/resolve-domain?hostname=${hostname}`] },
  get_merged_config: ofCustomer('/customer-config'),
  call_tools: {
    customer_id: ({ customer_id }) => [
      'POST',
      `/mcp?customer_id=${customer_id}`,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    ],
  },
  complete_chat: {
    customer_id: ({ customer_id }) => [
      'POST',
      `/llm/chat/completions?customer_id=${customer_id}`,
      { model: 'any', messages: ['Hello'] },
    ],
  },
  list_instance_models: ofCustomer('/llm/models'),
  verify_pin: {
    customer_id: ({ customer_id }) => ['POST', '/pin/verify', { pin: '2468', customer_id }],
    identity_id: ({ identity_id }) => ['POST', '/pin/verify', { pin: '2468', identity_id }],
  },
  check_pin_required: {
    customer_id: ({ customer_id }) => ['POST', `/pin/check-required?customer_id=${customer_id}`],
    identity_id: ({ identity_id }, { customer_id }) => [
      'POST',
      `/pin/check-required?customer_id=${customer_id}&identity_id=${identity_id}`,
    ],
  },
  check_pin_session: {},
  set_identity_pin: {
    identity_id: ({ identity_id }) => ['POST', `/identities/${identity_id}/pin`, { pin: '1357' }],
  },
  delete_identity_pin: { identity_id: ({ identity_id }) => ['DELETE', `/identities/${identity_id}/pin`] },
  answer_message: {
    conversation_id: ({ conversation_id }) => [
      'POST',
      `/conversations/${conversation_id}/messages`,
      { text: 'Hello', in_reply_to: null },
    ],
  },
  upload_instance_media: {
    conversation_id: ({ conversation_id }) => ['POST', `/conversations/${conversation_id}/media`, pdf],
  },
  hand_over_conversation: {
    conversation_id: ({ conversation_id }) => ['POST', `/conversations/${conversation_id}/handover`, {}],
  },
};
const cases = Object.entries(requests).flatMap(([id, named]) =>
  Object.entries(named).map(([field, build]) => ({ id, field, build })),
);

/** Ids that do not exist. */
const missing = (): Known => ({
  customer_id: randomUUID(),
  identity_id: randomUUID(),
  conversation_id: randomUUID(),
  person_id: randomUUID(),
  hostname: `${randomUUID()}.example.com`,
  address: uniqueSender(),
  token: '',
});

const isInternal = ({ path }: Operation) => path.startsWith('/internal/v1/instances/{instance_id}/');
const narrowed = operations.flatMap(({ id, sender, ...operation }) =>
  typeof sender === 'object' ? [{ id, traits: sender, ...operation }] : [],
);

describe('each internal route of an instance', () => {
  it('accepts a sender token, or is for the runtime itself', () => {
    const undeclared = operations.filter((one) => isInternal(one) !== (one.sender !== undefined));
    expect(
      undeclared.map(({ id }) => id),
      'Declare `sender` of the operation',
    ).toEqual([]);
    const runtimesOwn = operations.filter(({ sender }) => sender === 'none').map(({ id }) => id);
    expect(runtimesOwn.toSorted()).toEqual([
      'enroll_instance',
      'refresh_secrets',
      'renew_certificate',
      'send_instance_logs',
    ]);
    const mayLack = narrowed.filter(({ traits }) => traits.mayLackToken).map(({ id }) => id);
    expect(mayLack.toSorted()).toEqual(['answer_message', 'get_merged_config', 'list_instance_models']);
  });

  it('declares each field that names a customer, identity or conversation', () => {
    const names = ['customer_id', 'identity_id', 'conversation_id', 'person_id', 'hostname'] as const;
    for (const { id, traits, params, query, body } of narrowed) {
      const parts = { params, query, body } as Record<string, { properties?: object } | undefined>;
      const declared: SenderTraits = traits;
      for (const name of names) {
        const places = Object.keys(parts).filter((place) => name in (parts[place]?.properties ?? {}));
        expect(places, `${id}: ${name}`).toEqual(declared[name] === undefined ? [] : [declared[name]]);
      }
      // The external_id of a staff record is no chat address.
      const place = Object.keys(parts).find((one) => {
        const fields = parts[one]?.properties ?? {};
        return 'channel_address' in fields || ('channel' in fields && 'external_id' in fields);
      });
      expect(declared.address?.place, id).toBe(place);
    }
  });

  it('documents the header', () => {
    for (const { id, headers } of narrowed)
      expect(Object.keys(headers?.properties ?? {}), id).toContain('x-sender-token');
  });

  it('has a case below', () => {
    const declared = narrowed.map(({ id }) => id);
    expect(Object.keys(requests).toSorted()).toEqual(declared.toSorted());
  });
});

describe('a forwarded message', () => {
  it('carries an opaque token, a new one at each try', async () => {
    const { agent, runtime, path } = await createAgent();
    const sender = uniqueSender();
    const tokens: string[] = [];
    service.runtimes.onMessage = (message) => {
      tokens.push((message as unknown as Forwarded).sender_token);
      if (tokens.length === 1) throw new Error('not now');
    };
    await sendMessages(service, agent, textMessage(uniqueId(), 'hi', sender));
    await vi.waitFor(() => expect(tokens).toHaveLength(2), WAIT);
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) {
      expect(token).toMatch(/^ast_[\w-]+$/);
      expect(Buffer.from(token.slice(4), 'base64url').toString('latin1')).not.toContain(sender);
      const config = `${path}/customer-config?customer_id=${agent.instance.customer_id}`;
      expect((await withToken(runtime, token).get(config)).status).toBe(200);
    }
  });

  it('carries one from the playground too', async () => {
    const { agent, runtime, path } = await createAgent();
    const identity_id = await addIdentity(agent.instance.customer_id, uniqueSender(), true);
    const text = randomUUID();
    await tenant.api.post(`/v1/instances/${agent.instance.id}/playground`, { text, identity_id });
    const { sender_token } = await forwardedWith(agent.instance, text);
    const staff = `${path}/staff?customer_id=${agent.instance.customer_id}`;
    expect((await withToken(runtime, sender_token).get(staff)).status).toBe(200);
  });
});

describe('a token', () => {
  it('that is wrong, has expired or is another instance’s is 401, before any other fault', async () => {
    const { agent, runtime, path } = await createAgent();
    const elsewhere = await createAgent();
    const { sender_token } = await say(agent, uniqueSender());
    const foreign = (await say(elsewhere.agent, uniqueSender())).sender_token;
    const changed = `${sender_token.slice(0, -6)}${sender_token.endsWith('aaaaaa') ? 'bbbbbb' : 'aaaaaa'}`;
    const asks: Ask[] = [
      ['GET', '/lookup/identity?channel=chatapp&external_id=1'],
      ['GET', `/staff?customer_id=x`],
      ['POST', '/pin/verify', { pin: 1 }],
      ['GET', `/customer-config?customer_id=${randomUUID()}`],
    ];
    const statuses = (token: string, client = runtime) =>
      Promise.all(
        asks.map(
          async ([method, rest, json]) =>
            (await withToken(client, token).request(method, path + rest, { json })).status,
        ),
      );
    for (const token of ['', 'none', 'ast_', 'ast_AQ', changed, foreign])
      expect(await statuses(token), token).toEqual([401, 401, 401, 401]);
    expect(await statuses(foreign, service.operations)).toEqual([401, 401, 401, 401]);
    expect(await statuses(sender_token)).toEqual([404, 422, 422, 404]);
    // The requests since the message have taken some time, too.
    service.clock.advance((TOKEN_MINUTES - 2) * 60_000);
    expect(await statuses(sender_token)).toEqual([404, 422, 422, 404]);
    service.clock.advance(3 * 60_000);
    expect(await statuses(sender_token)).toEqual([401, 401, 401, 401]);
  });

  it('ends with its conversation', async () => {
    const { agent, runtime, path } = await createAgent();
    const { sender_token, conversation_id } = await say(agent, uniqueSender());
    const ask = () => withToken(runtime, sender_token).get(`${path}/llm/models`);
    expect((await ask()).status).toBe(200);
    expect((await tenant.api.delete(`/v1/conversations/${conversation_id}`)).status).toBe(204);
    expect((await ask()).status).toBe(401);
  });

  it('is ignored by the routes of the runtime itself', async () => {
    const { runtime, path } = await createAgent();
    const { vpn_ip } = await insertInstance(service, tenant.tenant_id);
    const claim = { vpn_ip, wg_public_key: 'x' };
    const [without, with_] = await Promise.all(
      [runtime, withToken(runtime, 'none')].map((client) => client.post(`${path}/secrets/refresh`, claim)),
    );
    expect(with_?.text).toBe(without?.text);
  });

  it('is optional', async () => {
    const { instance, other, path } = await createShared();
    const runtime = await runtimeOf(instance);
    expect((await runtime.get(`${path}/staff?customer_id=${other.customer_id}`)).status).toBe(200);
    expect((await runtime.get(`${path}/staff/${other.person_id}`)).status).toBe(200);
  });
});

describe('with the token of a sender', () => {
  let shared: Awaited<ReturnType<typeof createShared>>;
  beforeAll(async () => {
    shared = await createShared();
  });
  const ask = ([method, rest, body]: Ask, client: Client) =>
    client.request(method, shared.path + rest, bodyOf(body));

  it.each(cases)('$id accepts only the sender’s own $field', async ({ build }) => {
    const { own, other, runtime } = shared;
    const nobody = missing();
    const narrow = withToken(runtime, own.token);
    const without = await ask(build(nobody, own), runtime);
    expect(without.status).toBe(404);
    for (const known of [other, nobody]) {
      const refused = await ask(build(known, own), narrow);
      expect([refused.status, refused.text]).toEqual([404, without.text]);
    }
    const allowed = await ask(build(own, own), narrow);
    expect(allowed.status, allowed.text).toBeLessThan(300);
  });

  it('another conversation of the same customer is 404', async () => {
    const { agent, runtime, path } = await createAgent();
    const [first, second] = [await say(agent, uniqueSender()), await say(agent, uniqueSender())];
    const answer = (conversation_id: string, in_reply_to: string) =>
      withToken(runtime, first.sender_token).post(`${path}/conversations/${conversation_id}/messages`, {
        text: 'Hello',
        in_reply_to,
      });
    expect(await answer(second.conversation_id, second.message_id)).toMatchObject({
      status: 404,
      text: '{"detail":"Conversation not found"}',
    });
    expect((await answer(first.conversation_id, first.message_id)).status).toBe(202);
  });

  it('a request without ids is about the sender', async () => {
    const { instance, own, other, runtime } = shared;
    const address = own.address;
    await addWorker(instance, other.customer_id, address);
    const shifts: Ask = ['GET', `/worker/me/shifts?${me(address)}`];
    expect((await ask(shifts, runtime)).status).toBe(422);
    const narrow = withToken(runtime, own.token);
    expect((await ask(shifts, narrow)).status).toBe(200);
    expect((await ask(['GET', '/drive/search'], narrow)).status).toBe(200);
    expect((await ask(driveOf(other), runtime)).status).toBe(200);
    expect(await ask(driveOf(other), narrow)).toMatchObject({
      status: 404,
      text: '{"detail":"Connection not found"}',
    });
    const wrong = await ask(['POST', '/pin/verify', { pin: '0000' }], narrow);
    expect(wrong.body).toMatchObject({ error: 'pin_invalid', remaining_attempts: 4 });
    const routes = new PinRoutes(runtime, instance.id);
    const mine = await routes.verify('0000', { identity_id: own.identity_id });
    expect(mine.body.remaining_attempts).toBe(3);
  });

  it('a phone number may have its plus, but counts only in the sender’s channel', async () => {
    const { own, runtime } = shared;
    const narrow = withToken(runtime, own.token);
    const lookup = (channel: string): Ask => [
      'GET',
      `/lookup/identity?channel=${channel}&external_id=${own.address}`,
    ];
    const plus: Ask = ['GET', `/worker/me/shifts?${me(`%2B${own.address}`)}`];
    expect((await ask(plus, narrow)).status).toBe(200);
    expect((await ask(lookup('chatapp'), narrow)).status).toBe(200);
    expect((await ask(lookup('telegraph'), narrow)).status).toBe(404);
  });

  it('an address that another customer knows reveals nothing of that customer', async () => {
    const { instance, own, other, runtime } = shared;
    const address = uniqueSender();
    const lookup: Ask = ['GET', `/lookup/identity?channel=chatapp&external_id=${address}`];
    await addIdentity(other.customer_id, address, true);
    expect((await ask(lookup, runtime)).body).toMatchObject({ customer_id: other.customer_id });
    const number = { phone_number_id: randomUUID(), app_secret: randomUUID(), verify_token: randomUUID() };
    const endpoint = {
      channel: 'chatapp',
      instance_id: instance.id,
      customer_id: own.customer_id,
      ...number,
    };
    expect((await tenant.api.post('/v1/channel-endpoints', endpoint)).status).toBe(201);
    const text = randomUUID();
    await sendMessages(service, number, textMessage(uniqueId(), text, address));
    const { identity_id, sender_token } = await forwardedWith(instance, text);
    expect(identity_id).toBeNull();
    expect(await ask(lookup, withToken(runtime, sender_token))).toMatchObject({
      status: 404,
      text: '{"detail":"Identity not found"}',
    });
  });

  it('a session of another sender does not count', async () => {
    const { instance, own, other, runtime } = shared;
    const mine = new PinRoutes(withToken(runtime, own.token), instance.id);
    const theirs = new PinRoutes(withToken(runtime, other.token), instance.id);
    const { session_token } = (await theirs.verify('2468')).body;
    expect((await theirs.session(session_token)).body.valid).toBe(true);
    expect((await mine.session(session_token)).body).toEqual({ valid: false, expires_at: null });
  });
});

const askStaffAndDrive = async (
  { agent, runtime, path }: Awaited<ReturnType<typeof createAgent>>,
  token: string,
) => {
  const { customer_id } = agent.instance;
  const asks = [`/staff?customer_id=${customer_id}`, `/drive/search`, '/drive/read/file'];
  return Promise.all(asks.map((rest) => withToken(runtime, token).get(path + rest)));
};
const statuses = async (...args: Parameters<typeof askStaffAndDrive>) =>
  (await askStaffAndDrive(...args)).map(({ status }) => status);
const createWithDrive = async () => {
  const created = await createAgent();
  await addDrive(created.agent.instance.customer_id, 'main');
  return created;
};

describe('staff and drive', () => {
  it('are refused to a stranger and to an unverified identity', async () => {
    const created = await createWithDrive();
    const sender = uniqueSender();
    const stranger = await say(created.agent, sender);
    for (const answer of await askStaffAndDrive(created, stranger.sender_token))
      expect(answer).toMatchObject(NOT_INTRODUCED);
    const id = await addIdentity(created.agent.instance.customer_id, sender, false);
    const { identity_id, sender_token } = await say(created.agent, sender);
    expect(identity_id).toBe(id);
    for (const answer of await askStaffAndDrive(created, sender_token))
      expect(answer).toMatchObject(NOT_INTRODUCED);
    await tenant.api.patch(`/v1/customers/${created.agent.instance.customer_id}/identities/${id}`, {
      verified: true,
    });
    expect(await statuses(created, sender_token)).toEqual([200, 200, 200]);
  });

  it('are open to a worker whose address is verified, until the worker leaves', async () => {
    const created = await createWithDrive();
    const { instance } = created.agent;
    const sender = uniqueSender();
    const person = await addWorker(instance, instance.customer_id, `+${sender}`, 'unverified');
    const { sender_token } = await say(created.agent, sender);
    expect(await statuses(created, sender_token)).toEqual([403, 403, 403]);
    await service.database.query(`update staff_bindings set state = 'verified' where person_id = $1`, [
      person,
    ]);
    expect(await statuses(created, sender_token)).toEqual([200, 200, 200]);
    await service.database.query(`update staff set status = 'terminated' where id = $1`, [person]);
    expect(await statuses(created, sender_token)).toEqual([403, 403, 403]);
  });

  it('are open to everybody when their own skill is public', async () => {
    const created = await createWithDrive();
    const { sender_token } = await say(created.agent, uniqueSender());
    const skills = (...given: unknown[]) => configure(service, created.agent.instance, { skills: given }, 30);
    await skills('staff_query', { slug: 'drive_search', public: 'yes' });
    expect(await statuses(created, sender_token)).toEqual([403, 403, 403]);
    await skills({ slug: 'staff_query', public: true }, 'drive_search');
    expect(await statuses(created, sender_token)).toEqual([200, 403, 403]);
    await skills('staff_query', { name: 'drive_search', public: true });
    expect(await statuses(created, sender_token)).toEqual([403, 200, 200]);
  });

  it('are refused before a malformed body, and after a malformed query', async () => {
    const created = await createWithDrive();
    const { runtime, path } = created;
    const narrow = withToken(runtime, (await say(created.agent, uniqueSender())).sender_token);
    const { customer_id } = created.agent.instance;
    expect(await narrow.post(`${path}/staff?customer_id=${customer_id}`, { name: 1 })).toMatchObject(
      NOT_INTRODUCED,
    );
    expect((await narrow.post(`${path}/staff?customer_id=x`, { name: 1 })).status).toBe(422);
  });
});

describe('a policy that is enforced', () => {
  it('requires the PIN of the sender without a parameter for it', async () => {
    const { agent, runtime, path } = await createAgent();
    const { customer_id, id } = agent.instance;
    const policy = { enforced: true, pin_required_skills: ['staff_query'], pin_applies_to: 'owner' };
    await tenant.api.patch(`/v1/instances/${id}/pin-policy`, policy);
    const sender = uniqueSender();
    const identity_id = await addIdentity(customer_id, sender, true);
    await tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: '2468' });
    const narrow = withToken(runtime, (await say(agent, sender)).sender_token);
    const staff = `${path}/staff?customer_id=${customer_id}`;
    const pins = new PinRoutes(narrow, id);
    const ask = async (session: string | null = null) => (await pins.with(session).client.get(staff)).status;
    expect(await ask()).toBe(200);
    await tenant.api.patch(`/v1/customers/${customer_id}/identities/${identity_id}`, {
      role_override: 'owner',
    });
    expect(await ask()).toBe(403);
    const other = await createIdentity(tenant, customer_id);
    const theirs = await new PinRoutes(runtime, id).verify('2468', { identity_id: other });
    expect(await ask(theirs.body.session_token)).toBe(403);
    const { session_token } = (await pins.verify('2468', { purpose: 'staff_query' })).body;
    expect(await ask(session_token)).toBe(200);
    const elsewhere = (await pins.verify('2468', { purpose: 'drive_search' })).body.session_token;
    expect(await ask(elsewhere)).toBe(403);
  });
});

describe('where the policy requires a token', () => {
  it('every call without one is refused, except those of the runtime itself', async () => {
    const { instance, own, runtime, path } = await createShared();
    await tenant.api.patch(`/v1/instances/${instance.id}/pin-policy`, { require_sender_token: true });
    for (const { id, build } of cases) {
      const [method, rest, body] = build(own, own);
      const answer = await runtime.request(method, path + rest, bodyOf(body));
      const isExempt = ['answer_message', 'get_merged_config', 'list_instance_models'].includes(id);
      if (isExempt) expect(answer.status, id).toBeLessThan(300);
      else {
        // Clients of models read the field `error`.
        const { error: _, ...refusal } = answer.body as { error?: unknown };
        expect({ status: answer.status, text: JSON.stringify(refusal) }, id).toEqual(TOKEN_REQUIRED);
      }
    }
    expect(await runtime.post(`${path}/pin/verify`, { pin: 1 })).toMatchObject(TOKEN_REQUIRED);
    const messages = `${path}/conversations/${own.conversation_id}/messages`;
    for (const json of [{ text: 'x', in_reply_to: 'wamid' }, undefined])
      expect(await runtime.post(messages, json)).toMatchObject(TOKEN_REQUIRED);
    const refresh = await runtime.post(`${path}/secrets/refresh`, {
      vpn_ip: '10.64.0.1',
      wg_public_key: 'x',
    });
    expect(refresh.text).not.toBe(TOKEN_REQUIRED.text);
    const staff = `${path}/staff?customer_id=${own.customer_id}`;
    expect((await withToken(runtime, own.token).get(staff)).status).toBe(200);
  });
});

const textsOf = async (conversation_id: string) =>
  (await messagesIn(tenant, conversation_id)).map(({ text }) => text);
/** The runtime verifies each message as a PIN. */
const verifyEach = (runtime: Client, path: string, pinOf: (text: string) => string) => {
  service.runtimes.onMessage = async (message) => {
    const { sender_token, text } = message as unknown as Forwarded;
    await withToken(runtime, sender_token).post(`${path}/pin/verify`, { pin: pinOf(text) });
  };
};
const handled = (conversation_id: string, count: number) =>
  vi.waitFor(async () => {
    const messages = await messagesIn(tenant, conversation_id);
    expect(messages.filter(({ status }) => status === 'handled')).toHaveLength(count);
  }, WAIT);

describe('a PIN that a sender typed', () => {
  const MASK = '••••';
  it('is masked for people and in the next history, right or wrong, while the message is being forwarded', async () => {
    const { agent, runtime, path } = await createAgent();
    const sender = uniqueSender();
    await tenant.api.post(`/v1/customers/${agent.instance.customer_id}/pin`, { pin: '2468' });
    verifyEach(runtime, path, (text) => text.replaceAll(/\D/g, ''));
    const texts = ['2468', 'My PIN is 1357, ok', '24 68'];
    for (const text of texts) await say(agent, sender, text);
    service.runtimes.onMessage = () => {};
    const { conversation_id, history } = await say(agent, sender, 'thanks');
    const hidden = [MASK, `My PIN is ${MASK}, ok`, MASK];
    expect(history.map(({ text }) => text)).toEqual(hidden);
    await handled(conversation_id, 4);
    expect(await textsOf(conversation_id)).toEqual([...hidden, 'thanks']);
  });

  it('is masked in the last five messages only, and no other digits are', async () => {
    const { agent, runtime, path } = await createAgent();
    const sender = uniqueSender();
    const texts = ['2468', '12468', 'a2468', '2468 2468', '3.2468', '2469'];
    let last: Forwarded | undefined;
    for (const text of texts) last = await say(agent, sender, text);
    const { conversation_id, sender_token } = last ?? expect.unreachable();
    await handled(conversation_id, texts.length);
    await runtime.post(`${path}/pin/verify`, { pin: '2468' });
    expect(await textsOf(conversation_id)).toEqual(texts);
    await withToken(runtime, sender_token).post(`${path}/pin/verify`, { pin: 'a2468' });
    expect(await textsOf(conversation_id)).toEqual(texts);
    await withToken(runtime, sender_token).post(`${path}/pin/verify`, { pin: '2468' });
    expect(await textsOf(conversation_id)).toEqual([
      '2468',
      '12468',
      'a2468',
      `${MASK} ${MASK}`,
      `3.${MASK}`,
      '2469',
    ]);
  });

  it('is masked when it is set, together with the old one, also after a refusal', async () => {
    const { agent, runtime } = await createAgent();
    const { id, customer_id } = agent.instance;
    const sender = uniqueSender();
    const identity_id = await addIdentity(customer_id, sender, true);
    await tenant.api.post(`/v1/customers/${customer_id}/pin`, { pin: '2468' });
    await tenant.api.patch(`/v1/instances/${id}/pin-policy`, { enforced: true });
    await say(agent, sender, 'set pin 9753');
    const { conversation_id, sender_token } = await say(agent, sender, 'the old one is 0000');
    await handled(conversation_id, 2);
    const before = (await listChanges(tenant.api))[0]?.seq;
    const pins = new PinRoutes(withToken(runtime, sender_token), id);
    expect((await pins.setOwn(identity_id, '9753', '0000')).status).toBe(403);
    expect(await textsOf(conversation_id)).toEqual([`set pin ${MASK}`, `the old one is ${MASK}`]);
    expect((await listChanges(tenant.api))[0]?.seq).toBe(before);
    await say(agent, sender, 'set pin 8642, from 2468');
    await handled(conversation_id, 3);
    expect((await pins.setOwn(identity_id, '8642', '2468')).status).toBe(201);
    expect((await textsOf(conversation_id)).at(-1)).toBe(`set pin ${MASK}, from ${MASK}`);
  });
});
