import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import { mediaHash } from '../../src/channels/media.ts';
import type { MediaSource } from '../../src/channels/media-source.port.ts';
import { sealContent } from '../../src/conversations/message-content.ts';
import type { Credential, Operation } from '../../src/platform/contract/operation.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import type { Answer, Client } from '../support/client.ts';
import { pdf } from '../support/files.ts';
import { newCsr, newToken, newWgKey } from '../support/identities.ts';
import { OpenSsl } from '../support/openssl.ts';
import { cannedModel, emptyDrive, PROVIDER, pathOf } from '../support/operations.ts';
import { rawSql } from '../support/raw-sql.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createTenantRows, IDENTITY, type TenantRows, WORKER } from '../support/tenant-rows.ts';

type Part = 'path' | 'query' | 'body';

interface Place {
  operation: Operation;
  part: Part;
  name: string;
}

interface PartSchema {
  properties?: Record<string, { format?: string; anyOf?: { format?: string }[] }>;
}

/** Ids of rows that belong to no tenant. */
const notOfTenants = new Set([
  // The operator's; shared by all tenants.
  'tier_id',
]);
/** A recipe may name unknown ids, which are violations; templates.test.ts tests them. Others are compared with a row's. */
const notInBodies = new Set([...notOfTenants, 'onboarding_flow_id', 'rules_template_id', 'expect_taken_by']);

/** Take a list of ids, and answer for each; workforce/timesheets.test.ts tests them. */
const withIdLists = new Set(['decide_timesheets', 'explain_eligibility', 'ask_eligibility']);

const HOSTNAME = 'caller.example.com';
const PERIOD = { starts_at: '2026-02-01T08:00:00Z', ends_at: '2026-02-01T16:00:00Z' };

/** Fields besides ids without which requests do not reach the database. */
const requests: Record<string, { query?: Record<string, string>; body?: Record<string, unknown> }> = {
  switch_tenant: {},
  update_user: { body: { role: 'member' } },
  update_recipe: { body: { name: 'Renamed' } },
  compose_recipe: {},
  check_deploy: { body: { hostname: 'agent.example.com' } },
  deploy_recipe: { body: { hostname: 'agent.example.com', region_id: 'eu-1' } },
  start_rollout: { body: { revision: 1 } },
  update_customer: { body: { company_name: 'Renamed' } },
  clone_customer: { body: { company_name: 'Clone' } },
  create_subscription: { body: { status: 'active' } },
  create_website: { body: { hostname: 'taken-by-nobody.example.com' } },
  create_identity: { body: { channel: 'chatapp', external_id: 'nobody' } },
  call_tools: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  decide_approval: { body: { decision: 'reject' } },
  create_connection: { body: { provider: 'crm', credentials: {} } },
  rotate_event_secret: { body: {} },
  create_channel_endpoint: {
    body: { channel: 'chatapp', phone_number_id: 'n', verify_token: 't', app_secret: 's' },
  },
  update_conversation: { body: { mode: 'human' } },
  send_message: { body: { text: 'Hello' } },
  send_instance_logs: { body: { lines: ['listening'] } },
  answer_message: { body: { text: 'Hello', in_reply_to: null } },
  write_in_playground: { body: { text: 'Hello' } },
  save_recipe_from_instance: { body: { name: 'Saved' } },
  complete_chat: { body: { model: 'any', messages: ['Hello'] } },
  create_staff: { body: { name: 'Grace' } },
  import_staff: { body: { staff: [{ name: 'Grace' }] } },
  create_customer_staff: { body: { name: 'Grace' } },
  import_customer_staff: { body: { staff: [{ name: 'Grace' }] } },
  create_binding: { body: { ...WORKER, channel_address: 'another' } },
  create_shift: { body: PERIOD },
  update_timesheet: { body: { status: 'approved' } },
  list_my_assignments: { query: WORKER },
  list_my_certs: { query: WORKER },
  list_my_shifts: { query: WORKER },
  list_my_timesheets: { query: WORKER },
  get_my_eligibility: { query: WORKER },
  put_requirement: { body: { demands: [] } },
  create_my_timesheet: { query: WORKER, body: { date: '2026-02-01', hours: 8 } },
  verify_worker: { body: { ...WORKER, response: 'yes' } },
  set_customer_pin: { body: { pin: '2468' } },
  set_identity_pin: { body: { pin: '2468' } },
  verify_pin: { body: { pin: '2468' } },
  check_pin_session: { body: { session_token: 'none' } },
  look_up_identity: { query: IDENTITY },
  resolve_domain: { query: { hostname: HOSTNAME } },
};

const plainParams: Record<string, string> = {
  revision: '1',
  file_id: 'file',
  media_id: 'media',
  slug: 'mine',
  key: 'mine',
};

const TIER = randomUUID();

/** Require the caller's client certificate, which is checked after the ids. */
const byCertificate = new Set(['renew_certificate', 'refresh_secrets']);

/** Must be a customer of the instance (contract, section 13), so an unknown one is a validation error. */
const isFault = ({ operation, name }: Place) =>
  operation.tag === 'Channels' && name === 'customer_id' && operation.body !== undefined;

const isOfInstances = (credential: Credential) => credential === 'instance' || credential === 'enrollment';

const isTenantOperation = ({ credential }: Operation) => credential !== 'none' && credential !== 'operations';

function uuidNames(schema: unknown, but: ReadonlySet<string> = notOfTenants): string[] {
  const { properties = {} } = (schema ?? {}) as PartSchema;
  return Object.entries(properties)
    .filter(([, { format, anyOf }]) => format === 'uuid' || anyOf?.some((branch) => branch.format === 'uuid'))
    .map(([name]) => name)
    .filter((name) => !but.has(name));
}

const idNames = (part: Part, schema: unknown) =>
  uuidNames(schema, part === 'body' ? notInBodies : notOfTenants);

/** All places in requests where ids of a tenant's rows occur. */
const places: Place[] = operations.filter(isTenantOperation).flatMap((operation) =>
  (['path', 'query', 'body'] as const).flatMap((part) => {
    const schema = { path: operation.params, query: operation.query, body: operation.body }[part];
    return idNames(part, schema).map((name) => ({ operation, part, name }));
  }),
);
const withIds = [...new Set(places.map(({ operation }) => operation))];

let service: TestService;
/** `other` owns the rows; `own` calls. */
let other: TenantRows;
let own: TenantRows;
let callers: Record<'key' | 'user' | 'instance', Client>;

beforeAll(async () => {
  service = await startTestService({
    runsJobs: false,
    drive: emptyDrive,
    mediaSource: emptyMedia,
    templateSource: { list: () => Promise.resolve([]) },
    llmClient: cannedModel,
  });
  await service.operations.put('/internal/v1/llm-providers/default', PROVIDER);
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  const [theirs, caller] = await Promise.all([
    service.createTenant('Theirs'),
    service.createTenant('Caller'),
  ]);
  other = await createTenantRows(service, theirs);
  own = await createTenantRows(service, caller);
  await Promise.all([giveMedia(theirs, other), giveMedia(caller, own)]);
  await caller.api.post(`/v1/customers/${own.customer_id}/websites`, { hostname: HOSTNAME });
  Object.assign(requests, await identityRequests(caller.tenant_id, own.instance_id ?? ''));
  callers = {
    key: caller.api,
    user: await service.login(caller.admin_email),
    instance: await asInstance(caller, own.instance_id ?? ''),
  };
});
afterAll(() => service.stop());

const emptyMedia: MediaSource = {
  open: () => Promise.resolve({ mime_type: null, size: null, content: Readable.from([]) }),
};

/** Both tenants have a medium with the same id, so that the id alone would find a foreign one. */
async function giveMedia(
  { tenant_id, api }: TestTenant,
  { before: id = '', customer_id, instance_id }: TenantRows,
): Promise<void> {
  const { db, keyring } = service.service.services;
  const media = [{ id: plainParams.media_id ?? '', mime_type: null, size: null }];
  await service.database.query(
    'update channel_messages set sealed_content = $2, media_hash = $3 where id = $1',
    [
      id,
      await sealContent(keyring, db.tenant(tenant_id), id, { media }),
      mediaHash(keyring, tenant_id, plainParams.media_id ?? ''),
    ],
  );
  const credentials = { access_token: 'token' };
  const [instance] = await service.database.query<{ customer_id: string }>(
    'select customer_id from instances where id = $1',
    [instance_id],
  );
  for (const owner of [customer_id, instance?.customer_id])
    await api.post(`/v1/customers/${owner}/connections`, { provider: 'chatapp', credentials });
}

async function identityRequests(tenant_id: string, instance_id: string): Promise<typeof requests> {
  const openssl = await OpenSsl.open();
  const { csr_pem } = await newCsr(openssl);
  await openssl.close();
  const [instance] = await service.database.query<{ vpn_ip: string }>(
    'select host(tunnel_address) as vpn_ip from instances where id = $1',
    [instance_id],
  );
  const claim = { vpn_ip: instance?.vpn_ip, wg_public_key: newWgKey() };
  const enrollment_token = await newToken(service, { tenant_id }, instance_id);
  return {
    enroll_instance: { body: { ...claim, csr_pem, enrollment_token } },
    renew_certificate: { body: { ...claim, csr_pem } },
    refresh_secrets: { body: claim },
  };
}

async function asInstance({ tenant_id }: TestTenant, instance_id: string): Promise<Client> {
  const { services } = service.service;
  const key = await addProxyKey(services, services.db.tenant(tenant_id), instance_id);
  return service.anonymous.with({ authorization: `Bearer ${key}` });
}

function callerOf({ credential }: Operation): Client {
  if (isOfInstances(credential)) return callers.instance;
  return credential === 'user' || credential === 'admin_user' ? callers.user : callers.key;
}

/** The caller's own ids, except for one. */
function send(operation: Operation, foreign?: Place, id = ''): Promise<Answer<Record<string, never>>> {
  const idsOf = (part: Part, schema: unknown) =>
    Object.fromEntries(
      idNames(part, schema).map((name) => [
        name,
        foreign?.part === part && foreign.name === name ? id : (own[name] ?? expect.unreachable()),
      ]),
    );
  const { query = {}, body = {} } = requests[operation.id] ?? {};
  const params = { ...plainParams, ...idsOf('path', operation.params) };
  const search = new URLSearchParams({ ...query, ...idsOf('query', operation.query) }).toString();
  const json = { ...body, ...tierOf(operation), ...idsOf('body', operation.body) };
  return callerOf(operation).request(
    operation.method,
    `${pathOf(operation, params)}${search && `?${search}`}`,
    operation.rawBody === 'file'
      ? { raw: pdf }
      : operation.body || requests[operation.id]?.body
        ? { json }
        : {},
  );
}

const tierOf = ({ body }: Operation) =>
  uuidNames(body, new Set()).includes('tier_id') ? { tier_id: TIER } : {};

/** Everything a client sees, without parts that vary by request. */
function visible({ status, text, headers }: Answer<unknown>) {
  const varying = /^(x-request-id|date|x-ratelimit-.*|ratelimit)$/;
  return { status, text, headers: [...headers].filter(([name]) => !varying.test(name)) };
}

it('has a row for every id in a request', () => {
  const unknown = places.filter(({ name }) => own[name] === undefined || other[name] === undefined);
  expect(
    unknown.map(({ operation, part, name }) => `${operation.id}: ${part} ${name}`),
    'Add a row to server/test/support/tenant-rows.ts, or the name to notOfTenants above',
  ).toEqual([]);
});

const uuidCount = (schema: unknown) => {
  const text = JSON.stringify(schema ?? {}, (name, value: unknown) =>
    notInBodies.has(name) ? undefined : value,
  );
  return text.split('"format":"uuid"').length - 1;
};

it('finds every id in requests', () => {
  const hidden = operations.filter(isTenantOperation).filter(({ params, query, body }) => {
    const seen = [params, query, body].flatMap((schema) => uuidNames(schema, notInBodies)).length;
    return seen !== uuidCount(params) + uuidCount(query) + uuidCount(body);
  });
  expect(
    hidden.map(({ id }) => id).filter((id) => !withIdLists.has(id)),
    'An id stands deeper in a request than uuidNames above looks',
  ).toEqual([]);
});

it('has a value for every path parameter', () => {
  const names = operations.filter(isTenantOperation).flatMap(({ path, params }) => {
    const known = new Set([...uuidNames(params), ...Object.keys(plainParams)]);
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !known.has(name));
  });
  expect(names, 'Add the parameter to plainParams above').toEqual([]);
});

const named = places.map((place) => [`${place.operation.id}: ${place.part} ${place.name}`, place] as const);

describe.each(named)('%s', (_, place) => {
  it('of another tenant looks like an unknown one', async () => {
    const missing = visible(await send(place.operation, place, randomUUID()));
    const foreign = visible(await send(place.operation, place, other[place.name] ?? expect.unreachable()));
    expect(foreign).toEqual(missing);
    const ofInstance = isOfInstances(place.operation.credential) && place.part === 'path';
    const refusal = ofInstance ? [401, 404] : [isFault(place) ? 422 : 404];
    expect(
      place.part === 'query' ? [200, ...refusal] : refusal,
      `${missing.text} – the request has to get as far as looking for the id: see requests above`,
    ).toContain(missing.status);
  });
});

/** Deletions run last, the deepest first: shifts are declared after their person. */
const depth = (operation: Operation) =>
  operation.method === 'DELETE'
    ? 100 - operation.path.length / 10 - operations.indexOf(operation) / 10_000
    : 0;
const inOrder = withIds
  .toSorted((a, b) => depth(a) - depth(b))
  .map((operation) => [operation.id, operation] as const);

// Shows that the refusals above were only about the id.
describe.each(inOrder)('%s', (_, operation) => {
  it('finds the caller’s own rows', async () => {
    const { status, text } = await send(operation);
    if (byCertificate.has(operation.id)) {
      expect([status, text]).toEqual([401, '{"detail":"A client certificate is required"}']);
      return;
    }
    expect(status < 300 || status === 409, `${status} ${text}`).toBe(true);
  });
});

describe('row-level security', () => {
  let unguarded: TestService;
  beforeAll(async () => {
    unguarded = await startTestService({ runsJobs: false });
  });
  afterAll(() => unguarded.stop());

  it('isolates tenants: without it foreign rows are visible', async () => {
    const [mine, theirs] = [await unguarded.createTenant(), await unguarded.createTenant()];
    const made = await theirs.api.post<{ id: string }>('/v1/recipes', { name: 'Theirs' });
    const read = async () => (await mine.api.get(`/v1/recipes/${made.body.id}`)).status;
    expect(await read()).toBe(404);
    await unguarded.database.query('alter table recipes disable row level security');
    expect(await read()).toBe(200);
    await unguarded.database.query('alter table recipes enable row level security');
    expect(await read()).toBe(404);
  });

  it('prevents reading, changing, deleting and inserting rows of another tenant in every table', async () => {
    const theirs = `'${other.tenant_id}'`;
    const tables = await service.database.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    );
    const { db } = service.service.services;
    const attempt = (text: string) =>
      db
        .tenant(own.tenant_id ?? '')
        .run(rawSql(text))
        .catch(({ message }: Error) => message);
    const none = [[], expect.stringMatching(/^permission denied/)];
    let seen = 0;
    for (const { name } of tables) {
      const rows = await service.database.query(`select from ${name} where tenant_id = ${theirs}`);
      if (rows.length > 0) seen += 1;
      const where = `where tenant_id = ${theirs} returning tenant_id`;
      expect(await attempt(`select from ${name} where tenant_id = ${theirs}`), name).toEqual([]);
      expect(none, name).toContainEqual(await attempt(`update ${name} set tenant_id = tenant_id ${where}`));
      expect(none, name).toContainEqual(await attempt(`delete from ${name} ${where}`));
      const added = await attempt(`insert into ${name} (tenant_id) values (${theirs})`);
      expect(added).toBe(`new row violates row-level security policy for table "${name}"`);
    }
    expect(seen, 'tables that have a row of the other tenant').toBeGreaterThan(20);
  });
});
