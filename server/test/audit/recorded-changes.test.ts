import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import type { Credential, Operation } from '../../src/platform/contract/operation.ts';
import { listChanges } from '../support/changes.ts';
import type { Client } from '../support/client.ts';
import { pdf } from '../support/files.ts';
import { enrolledInstance, newCsr, newToken, newWgKey, postAs } from '../support/identities.ts';
import { insertInstance, placeCustomer } from '../support/instances.ts';
import { OpenSsl } from '../support/openssl.ts';
import { emptyDrive, PROVIDER, pathOf } from '../support/operations.ts';
import {
  OPERATIONS_TOKEN,
  PASSWORD,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/service.ts';
import { createTenantRows, EVENTS, insertRollout, type TenantRows, WORKER } from '../support/tenant-rows.ts';

/** Operations other than GET without a row, and the reason. */
const unrecorded: Record<string, string> = {
  login: 'begins a session, which is no resource',
  create_browser_session: 'begins a session',
  refresh_browser_session: 'goes on with a session',
  switch_browser_session: 'begins a session',
  end_browser_session: 'ends a session',
  open_sign_in_link: 'begins a session',
  refresh_tokens: 'goes on with a session',
  switch_tenant: 'begins a session',
  logout: 'ends a session',
  end_my_session: 'ends a session',
  compose_recipe: 'reads',
  check_deploy: 'reads',
  assist_recipe: 'answers a draft that nothing keeps',
  verify_pin: 'counts tries and begins a PIN session',
  check_pin_session: 'reads',
  check_pin_required: 'reads',
  explain_eligibility: 'reads',
  ask_eligibility: 'reads',
  refresh_secrets: 'reads',
  send_instance_logs: 'keeps lines for a day, which are no resource',
  receive_webhook: 'fills the inbox, which has a list of its own',
  call_tools: 'is recorded among the calls of tools',
  call_mcp: 'is recorded as the operation that the tool is',
  put_tier: 'is the same for every tenant',
  put_region: 'is the same for every tenant',
  put_manifest: 'is the same for every tenant',
  put_models: 'is the same for every tenant',
  put_cluster: 'is the same for every tenant',
  delete_cluster: 'is the same for every tenant',
  put_llm_provider: 'is the same for every tenant',
  delete_llm_provider: 'is the same for every tenant',
  check_llm_provider: 'reads',
  check_tenant_llm_provider: 'reads',
  test_event_endpoint: 'sends a ping, which has a list of its own',
  complete_chat: 'counts usage, which has a list of its own',
  rotate_ca: 'belongs to no tenant',
  rewrap_master_key: 'belongs to no tenant',
  rotate_master_key: 'belongs to no tenant',
};

interface Ids {
  media_id?: string;
  id?: string;
  tenant_id?: string;
  instance_id?: string;
}

interface Request {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

const ANYBODY = new Set<Credential>(['none', 'optional_user']);
const INTERNAL = new Set<Credential>(['instance', 'enrollment', 'operations']);
const PERIOD = { starts_at: '2026-02-01T08:00:00Z', ends_at: '2026-02-01T16:00:00Z' };
const TIER = randomUUID();

const changing = operations.filter(({ method }) => method !== 'GET');
const recorded = changing.filter(({ id }) => unrecorded[id] === undefined);
/** Deletions come last, the deepest first. */
const depth = ({ method, path }: Operation) => (method === 'DELETE' ? 100 - path.length / 10 : 0);
const inOrder = recorded
  .toSorted((a, b) => depth(a) - depth(b))
  .map((operation) => [operation.id, operation] as const);

let openssl: OpenSsl;
let service: TestService;
let tenant: TestTenant;
let rows: TenantRows;
let user: Client;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  service = await startTestService({ runsJobs: false, drive: emptyDrive });
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  rows = await createTenantRows(service, tenant);
  user = await service.login(tenant.admin_email);
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

const instanceOf = async (status: string) => ({
  params: { instance_id: (await insertInstance(service, tenant.tenant_id, { status })).id },
});
const newRecipe = async () =>
  (await tenant.api.post<Ids>('/v1/recipes', { name: 'R' })).body.id ?? expect.unreachable();
const rolloutOf = async (status: string) => {
  const template_id = await newRecipe();
  return { params: { template_id, rollout_id: await insertRollout(service, template_id, status) } };
};
const ofCustomer = () => ({ customer_id: rows.customer_id ?? '' });
const newUser = async () => {
  const { body } = await tenant.api.post<Ids>('/v1/users', {
    email: newEmail(),
    password: PASSWORD,
    role: 'member',
  });
  return { params: { user_id: body.id ?? expect.unreachable() } };
};
const newEmail = () => `${randomUUID()}@example.com`;

/** For operations that need more than existing rows. */
const requests: Record<string, () => Promise<Request> | Request> = {
  create_user: () => ({ body: { email: newEmail(), password: PASSWORD, role: 'member' } }),
  update_user: () => ({ body: { role: 'admin' } }),
  create_invitation: () => ({ body: { email: newEmail(), role: 'member' } }),
  accept_invitation: async () => {
    const { body } = await tenant.api.post<{ invitation_token: string }>('/v1/users/invitations', {
      email: newEmail(),
      role: 'member',
    });
    return { body: { invitation_token: body.invitation_token, password: PASSWORD } };
  },
  create_password_reset: newUser,
  create_operator_password_reset: newUser,
  reset_password: async () => {
    const { params } = await newUser();
    const path = `/v1/users/${params.user_id}/password-reset`;
    const { body } = await tenant.api.post<{ reset_token: string }>(path);
    return { body: { reset_token: body.reset_token, password: `${PASSWORD}-new` } };
  },
  change_my_password: () => ({
    body: { current_password: PASSWORD, new_password: `${PASSWORD}-new` },
  }),
  update_tenant: () => ({ params: { tenant_id: tenant.tenant_id }, body: { name: 'Renamed' } }),
  reset_identity_pin: async () => {
    const of = `/internal/v1/instances/${rows.instance_id}`;
    const { identity_id = '' } = rows;
    await service.operations.post(`${of}/pin/verify`, { pin: '0000', identity_id });
    return {};
  },
  update_conversation: () => ({ body: { mode: 'human' } }),
  send_message: async () => {
    await tenant.api.patch(`/v1/conversations/${rows.conversation_id}`, { mode: 'human' });
    return { body: { text: 'Hello' } };
  },
  answer_message: async () => {
    await tenant.api.patch(`/v1/conversations/${rows.conversation_id}`, { mode: 'agent' });
    return { body: { text: 'Hello', in_reply_to: null } };
  },
  decide_approval: () => ({ body: { decision: 'reject' } }),
  write_in_playground: () => ({ body: { text: 'Hello' } }),
  create_api_key: () => ({ body: { name: 'Key', scopes: [] } }),
  put_tenant_llm_provider: () => ({ body: PROVIDER }),
  put_customer_budget: () => ({ body: { monthly_tokens: 1000 } }),
  create_primitive: () => ({ body: { kind: 'skill', slug: 'recorded' } }),
  create_rules_template: () => ({ body: { name: 'Rules', rules: {} } }),
  update_rules_template: () => ({ body: { name: 'Renamed' } }),
  create_onboarding_flow: () => ({ body: { name: 'Flow', steps: [] } }),
  update_onboarding_flow: () => ({ body: { name: 'Renamed' } }),
  create_recipe: () => ({ body: { name: 'Recipe' } }),
  update_recipe: () => ({ body: { name: 'Renamed' } }),
  save_recipe_from_instance: () => ({ body: { name: 'Saved' } }),
  deploy_recipe: () => ({
    body: {
      recipe_id: rows.recipe_id,
      customer_id: rows.customer_id,
      tier_id: TIER,
      region_id: 'eu-1',
      hostname: 'agent.example.com',
      idempotency_key: randomUUID(),
    },
  }),
  stop_instance: () => instanceOf('running'),
  start_instance: () => instanceOf('stopped'),
  restart_instance: () => instanceOf('running'),
  restart_instances: async () => {
    await instanceOf('running');
    return { body: { tenant_id: tenant.tenant_id } };
  },
  drain_cluster: async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    const cluster_id = `c-${randomUUID().slice(0, 8)}`;
    await service.database.query(
      `insert into clusters (id, host_id, region_id, engine) values ($1, gen_random_uuid(), $2, 'docker')`,
      [cluster_id, instance.region_id],
    );
    await service.database.query('update instances set cluster_id = $1 where id = $2', [
      cluster_id,
      instance.id,
    ]);
    return { params: { cluster_id }, body: { to: 'default' } };
  },
  retry_instance: () => instanceOf('failed'),
  upgrade_instance: async () => ({ ...(await instanceOf('running')), body: {} }),
  delete_instance_deployment: async () => {
    const { params } = await instanceOf('running');
    await placeCustomer(service, params.instance_id);
    const [row] = await service.database.query<{ id: string }>(
      'select id from deployments where instance_id = $1 limit 1',
      [params.instance_id],
    );
    return { params: { ...params, deployment_id: row?.id ?? expect.unreachable() } };
  },
  delete_instance: () => instanceOf('running'),
  enroll_instance: async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    const { csr_pem } = await newCsr(openssl);
    const enrollment_token = await newToken(service, tenant, instance.id);
    const body = { csr_pem, enrollment_token, vpn_ip: instance.vpn_ip, wg_public_key: newWgKey() };
    return { params: { instance_id: instance.id }, body };
  },
  create_customer: () => ({ body: { email: newEmail() } }),
  clone_customer: () => ({ body: { company_name: 'Clone', source_customer_id: rows.customer_id } }),
  replace_customer_rules: () => ({ body: { instructions: ['Be brief'] } }),
  replace_customer_config: () => ({ body: { greeting: 'hi' } }),
  create_subscription: () => ({ body: { status: 'active' } }),
  update_subscription: () => ({ body: { status: 'paused' } }),
  put_requirement: () => ({ body: { demands: [] } }),
  create_website: () => ({ body: { hostname: 'recorded.example.com' } }),
  create_staff: () => ({ query: ofCustomer(), body: { name: 'Grace' } }),
  import_staff: () => ({ query: ofCustomer(), body: { staff: [{ name: 'A' }, { name: 'B' }] } }),
  update_staff: () => ({ query: ofCustomer(), body: { name: 'Grace' } }),
  import_customer_staff: () => ({ body: { staff: [{ name: 'C' }, { name: 'D' }] } }),
  create_customer_staff: () => ({ body: { name: 'Hedy' } }),
  delete_shift: async () => {
    const of = `/v1/customers/${rows.customer_id}`;
    const path = `/internal/v1/instances/${rows.instance_id}/staff?customer_id=${rows.customer_id}`;
    const { body: person } = await service.operations.post<Ids>(path, { name: 'Ida' });
    const shift = await tenant.api.post<Ids>(`${of}/shifts`, { person_id: person.id, ...PERIOD });
    return { params: { shift_id: shift.body.id ?? expect.unreachable(shift.text) } };
  },
  delete_customer: async () => {
    const { body } = await tenant.api.post<Ids>('/v1/customers', { email: newEmail() });
    return { params: { customer_id: body.id ?? expect.unreachable() } };
  },
  create_binding: () => ({ body: { ...WORKER, channel_address: '4915100000009' } }),
  create_shift: () => ({ body: { person_id: rows.person_id, ...PERIOD } }),
  create_assignment: () => ({ body: { person_id: rows.person_id, title: 'Crane', ...PERIOD } }),
  update_timesheet: () => ({ body: { status: 'approved' } }),
  decide_timesheets: () => ({ body: { ids: [rows.timesheet_id], status: 'rejected' } }),
  create_my_timesheet: () => ({ query: WORKER, body: { date: '2026-02-01', hours: 8 } }),
  verify_worker: async () => {
    const channel_address = '4915100000010';
    const of = `/v1/customers/${rows.customer_id}/staff/${rows.person_id}/bindings`;
    await tenant.api.post(of, { ...WORKER, channel_address });
    return { body: { ...WORKER, channel_address, response: 'yes' } };
  },
  create_identity: () => ({ body: { channel: 'chatapp', external_id: 'recorded' } }),
  set_customer_pin: () => ({ body: { pin: '2468' } }),
  set_identity_pin: () => ({ body: { pin: '2468' } }),
  compose_recipe: () => ({ body: { recipe_id: rows.recipe_id } }),
  check_pin_required: () => ({ query: ofCustomer(), body: {} }),
  verify_pin: async () => {
    await tenant.api.post(`/v1/customers/${rows.customer_id}/pin`, { pin: '2468' });
    return { body: { pin: '2468', customer_id: rows.customer_id } };
  },
  update_pin_policy: () => ({ body: { pin_session_ttl_minutes: 30 } }),
  create_connection: () => ({ body: { provider: 'crm', credentials: {} } }),
  create_event_endpoint: () => ({ body: EVENTS }),
  update_event_endpoint: () => ({ body: { description: 'Changed' } }),
  rotate_event_secret: () => ({ body: {} }),
  create_channel_endpoint: () => ({
    body: {
      channel: 'chatapp',
      phone_number_id: 'recorded',
      instance_id: rows.instance_id,
      verify_token: 'a-verify-token-of-the-tests',
      app_secret: 'an-app-secret-of-the-tests-0123456789',
    },
  }),
  update_channel_endpoint: () => ({ body: { verify_token: 'another-verify-token' } }),
  create_tenant: () => ({
    body: { name: 'Recorded', admin_email: newEmail(), admin_password: PASSWORD },
  }),
  restore_recipe_revision: () => ({ params: { revision: '1' } }),
  start_rollout: async () => ({ params: { template_id: await newRecipe() }, body: { revision: 1 } }),
  pause_rollout: () => rolloutOf('running'),
  resume_rollout: () => rolloutOf('stopped'),
  stop_rollout: () => rolloutOf('running'),
  rollback_rollout: () => rolloutOf('stopped'),
};

function clientOf({ credential }: Operation): Client {
  if (ANYBODY.has(credential)) return service.anonymous;
  if (INTERNAL.has(credential)) return service.operations;
  return credential === 'user' || credential === 'admin_user' ? user : tenant.api;
}

const kindOf = ({ credential }: Operation) => {
  if (ANYBODY.has(credential)) return 'anonymous';
  if (INTERNAL.has(credential)) return 'operations';
  return credential === 'user' || credential === 'admin_user' ? 'user' : 'api_key';
};

const rowsOf = (request_id: string) =>
  service.database.query<{ tenant_id: string }>('select tenant_id from audit_changes where request_id = $1', [
    request_id,
  ]);

const bodyOf = (operation: Operation, json: object = {}) => {
  if (operation.rawBody === 'file') return { raw: pdf };
  return operation.body ? { json } : {};
};

async function send(operation: Operation, { params = {}, query = {}, body }: Request, client: Client) {
  const request_id = randomUUID();
  const search = new URLSearchParams(query).toString();
  const path = `${pathOf(operation, params)}${search && `?${search}`}`;
  const answer = await client
    .with({ 'x-request-id': request_id })
    .request<Ids>(operation.method, path, bodyOf(operation, body));
  return { ...answer, request_id, path };
}

async function succeed(operation: Operation) {
  const request = (await requests[operation.id]?.()) ?? {};
  const params = { ...rows, ...request.params };
  if (operation.id === 'renew_certificate') return renew();
  const sent = await send(operation, { ...request, params }, clientOf(operation));
  expect(sent.status, `${operation.id} ${sent.text} – it has to succeed: see requests above`).toBeLessThan(
    300,
  );
  return sent;
}

/** Needs mutual TLS. */
async function renew() {
  const instance = await enrolledInstance(service, tenant, await newCsr(openssl));
  const { csr_pem } = await newCsr(openssl);
  const request_id = randomUUID();
  const path = `/internal/v1/instances/${instance.id}/cert/renew`;
  const body = { csr_pem, wg_public_key: instance.wg_public_key };
  const headers = { authorization: `Bearer ${OPERATIONS_TOKEN}`, 'x-request-id': request_id };
  const answer = await postAs<object>(service, path, body, instance, headers);
  expect(answer.status, answer.text).toBe(200);
  return { status: answer.status, body: {} as Ids, request_id, path };
}

const NAMELESS = new Set(['operations', 'anonymous']);

/** The response's id, else the last one in the path. A rotation concerns the previous key. */
function resourceOf({ id }: Operation, { status, body, path }: Awaited<ReturnType<typeof succeed>>): unknown {
  if (id === 'change_my_password') return tenant.admin_user_id;
  // The first of those that changed.
  if (id === 'decide_timesheets') return rows.timesheet_id;
  const ids = path.split('?')[0]?.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g);
  const last = ids?.at(-1);
  if (last === undefined) return body?.id ?? body?.instance_id ?? null;
  return status === 201 && id !== 'rotate_api_key' ? (body.id ?? body.media_id ?? last) : last;
}

describe.each(inOrder)('%s', (_, operation) => {
  it('leaves one row in the changed tenant', async () => {
    const sent = await succeed(operation);
    const tenant_id = operation.id === 'create_tenant' ? sent.body.tenant_id : tenant.tenant_id;
    expect(await rowsOf(sent.request_id), 'Its tables have to: call note_changes(…)').toEqual([
      { tenant_id },
    ]);
    if (operation.id === 'create_tenant') return;
    const [change] = (await listChanges(tenant.api, `&operation=${operation.id}`)).filter(
      ({ request_id }) => request_id === sent.request_id,
    );
    expect(change).toEqual({
      seq: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      actor: NAMELESS.has(kindOf(operation))
        ? { kind: kindOf(operation), id: null, name: null }
        : { kind: kindOf(operation), id: expect.any(String), name: expect.any(String) },
      operation: operation.id,
      resource_id: resourceOf(operation, sent),
      request_id: sent.request_id,
      status: sent.status,
    });
  });
});

describe.each(changing.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  it('leaves no row when refused', async () => {
    for (const client of [service.anonymous, clientOf(operation)]) {
      const { status, request_id } = await send(operation, {}, client);
      if (status >= 400) expect(await rowsOf(request_id)).toEqual([]);
    }
  });
});

it.each(['compose_recipe', 'check_pin_required', 'verify_pin'])('%s leaves no row', async (id) => {
  const operation = operations.find((one) => one.id === id) ?? expect.unreachable();
  const { request_id } = await succeed(operation);
  expect(await rowsOf(request_id)).toEqual([]);
});

it('lists exactly the operations without a row', () => {
  const ids = new Set(changing.map(({ id }) => id));
  expect(Object.keys(unrecorded).filter((id) => !ids.has(id))).toEqual([]);
});
