import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertInstance } from '../../server/test/support/instances.ts';
import {
  OPERATIONS_TOKEN,
  PASSWORD,
  sharedService,
  type TestService,
  type TestTenant,
} from '../../server/test/support/service.ts';
import { ApiError, ControlPlane, ControlPlaneError, type ControlPlaneOptions } from '../src/index.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let tenant: TestTenant;
let acp: ControlPlane;
beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  acp = clientWith({ apiKey: tenant.key });
});

const clientWith = (options: Partial<ControlPlaneOptions>) =>
  new ControlPlane({ baseUrl: service.base_url, ...options });

const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

const keyWith = async (limit: number, window_seconds: number) => {
  const rate_limit = { limit, window_seconds };
  return (await acp.apiKeys.create({ name: 'slow', scopes: ['recipes:read'], rate_limit })).key;
};

const signIn = async () => {
  const { admin_email: email } = tenant;
  return { email, ...(await clientWith({}).authentication.login({ email, password: PASSWORD })) };
};

describe('an operation', () => {
  it('sends its body and returns the response', async () => {
    const made = await acp.recipes.create({ name: 'Front desk', skills: ['greet', { slug: 'book' }] });
    expect(made).toMatchObject({ name: 'Front desk', skills: ['greet', { slug: 'book' }], revision: 1 });
    const changed = await acp.recipes.update(made.id, { name: 'Back desk' });
    expect(changed).toMatchObject({ id: made.id, name: 'Back desk', revision: 2 });
    expect((await acp.recipes.getRevision(made.id, 1)).name).toBe('Front desk');
    expect(await acp.call('get_recipe', { path: { template_id: made.id } })).toEqual(changed);
    expect(await acp.recipes.delete(made.id)).toBeUndefined();
    expect((await failureOf(acp.recipes.get(made.id))).status).toBe(404);
  });

  it('sends ids, a body and a query', async () => {
    const instance = await insertInstance(service, tenant.tenant_id);
    const { customer_id } = instance;
    const operator = clientWith({ operationsToken: OPERATIONS_TOKEN });
    const ana = await operator.staff.create(instance.id, { name: 'Ana' }, { customer_id });
    expect(await operator.staff.get(instance.id, ana.id)).toEqual(ana);
    expect((await operator.staff.list(instance.id, { customer_id, tier: ana.tier })).total).toBe(1);
  });

  it('returns text for a text response', async () => {
    expect(await acp.operations.getMetrics()).toContain('# HELP');
    expect(await acp.certificateAuthority.getCaBundle()).toContain('BEGIN CERTIFICATE');
  });

  it('sends any id as one path segment', async () => {
    const error = await failureOf(acp.recipes.get('../customers?search=x#'));
    expect(error.faults).toMatchObject([{ loc: ['path', 'template_id'], type: 'uuid_parsing' }]);
  });

  it.each(['', '.', '..'])('refuses the id "%s", which would address another operation', async (id) => {
    await expect(acp.recipes.get(id)).rejects.toThrow(TypeError);
  });
});

describe('an operation that takes a credential or none', () => {
  it('is called by nobody, and by a user', async () => {
    const anybody = clientWith({});
    const email = 'invited@example.com';
    const { invitation_token } = await acp.users.createInvitation({ email, role: 'member' });
    const pair = await anybody.authentication.acceptInvitation({
      invitation_token,
      password: 'chosen-by-the-owner-1',
    });
    expect(pair.tenant_id).toBe(tenant.tenant_id);
    const other = await service.createTenant();
    const invitation = await other.api.post<{ invitation_token: string }>('/v1/users/invitations', {
      email,
      role: 'member',
    });
    const user = clientWith({ accessToken: pair.access_token });
    const joined = await user.authentication.acceptInvitation({
      invitation_token: invitation.body.invitation_token,
    });
    expect(joined.tenant_id).toBe(other.tenant_id);
  });
});

describe('a refusal', () => {
  it('holds every error, and the request’s id in the server’s log', async () => {
    const error = await failureOf(acp.customers.create({ email: 'nobody', currency: 'x' }));
    expect(error).toMatchObject({ name: 'ApiError', operation: 'create_customer', status: 422 });
    expect(error.faults.map(({ loc }) => loc.join('.')).toSorted()).toEqual(['body.currency', 'body.email']);
    expect(error.requestId).toMatch(/\S/);
    expect(error.message).toContain('create_customer (POST /v1/customers) answered 422: body.email: ');
    expect(error.message).toContain(error.requestId);
  });

  it('names a missing resource', async () => {
    const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:read'] });
    const error = await failureOf(clientWith({ apiKey: key }).recipes.create({ name: 'R' }));
    expect(error).toMatchObject({ status: 403, faults: [], retryAfterMs: undefined });
    expect(error.detail).toContain('recipes:write');
  });

  it('by a rate limit is retried, unless retries are off', async () => {
    const patient = clientWith({ apiKey: await keyWith(2, 1) });
    expect(await Promise.all([1, 2, 3, 4].map(() => patient.recipes.list()))).toHaveLength(4);
    const hasty = clientWith({ apiKey: await keyWith(1, 60), retries: 0 });
    await hasty.recipes.list();
    const error = await failureOf(hasty.recipes.list());
    expect(error.status).toBe(429);
    expect(error.retryAfterMs).toBeGreaterThan(0);
  });
});

describe('a credential', () => {
  it('is chosen for the operation', async () => {
    const { email, access_token } = await signIn();
    const all = clientWith({
      apiKey: tenant.key,
      accessToken: access_token,
      operationsToken: OPERATIONS_TOKEN,
    });
    expect((await all.users.getMe()).user.email).toBe(email);
    expect((await all.apiKeys.getContext()).role).toBe('admin');
    expect((await all.tenants.list()).items.length).toBeGreaterThan(0);
    expect((await all.operations.getHealth()).status).toBe('ok');
  });

  it('may be a function that is called each time', async () => {
    let asked = 0;
    const { access_token } = await signIn();
    const user = clientWith({
      accessToken: async () => {
        asked++;
        return access_token;
      },
    });
    await user.users.getMe();
    await user.recipes.list();
    expect(asked).toBe(2);
  });

  it('is named when missing, before anything is sent', async () => {
    const nobody = new ControlPlane({ baseUrl: 'http://127.0.0.1:1', apiKey: '' });
    const error = await nobody.recipes.list().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ControlPlaneError);
    expect(String(error)).toContain('list_recipes needs apiKey or accessToken');
  });

  it('may have a trailing newline', async () => {
    expect(await clientWith({ apiKey: `${tenant.key}\n` }).recipes.list()).toBeInstanceOf(Array);
  });

  it('appears in no error and no printed client', async () => {
    const secret = 'planted\nsecret';
    const error: unknown = await clientWith({ apiKey: secret })
      .recipes.list()
      .catch((reason: unknown) => reason);
    expect(String(error)).toContain('apiKey has characters that a header cannot carry');
    expect(inspect(error, { depth: 9 })).not.toContain('planted');
    expect(inspect(acp, { depth: 9, showHidden: true })).not.toContain(tenant.key);
  });
});

describe('an address', () => {
  it('may end with a slash', async () => {
    expect(await clientWith({ baseUrl: `${service.base_url}/` }).operations.getReadiness()).toBeDefined();
  });

  it.each(['', 'example.com', 'ftp://example.com', 'http://planted:planted@example.com'])(
    'is refused without being quoted: %s',
    (baseUrl) => {
      expect(() => new ControlPlane({ baseUrl })).toThrow(TypeError);
      expect(() => new ControlPlane({ baseUrl })).not.toThrow(/planted/);
    },
  );
});

describe('a list with pages', () => {
  it('returns one page by list, and every row by listAll', async () => {
    const { api } = await service.createTenant();
    const lister = clientWith({ apiKey: api.headers['x-api-key'] });
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push((await lister.customers.create({ email: `${n}@example.com` })).id);
    const page = await lister.customers.list({ per_page: 2 });
    expect(page).toMatchObject({ page: 1, per_page: 2, total: 5 });
    const newestFirst = made.toReversed();
    expect(page.customers.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2));
    const idsOf = async (query?: { per_page?: number; page?: number; search?: string }) =>
      (await collect(lister.customers.listAll(query))).map(({ id }) => id);
    expect(await idsOf()).toEqual(newestFirst);
    expect(await idsOf({ per_page: 2 })).toEqual(newestFirst);
    expect(await idsOf({ per_page: 5 })).toEqual(newestFirst);
    expect(await idsOf({ per_page: 2, page: 2 })).toEqual(newestFirst.slice(2));
    expect(await idsOf({ search: '3@' })).toEqual([made[3]]);
    expect(await idsOf({ search: 'nobody' })).toEqual([]);
  });

  it('is requested page by page, as far as it is read', async () => {
    const asked: string[] = [];
    const lister = clientWith({
      apiKey: tenant.key,
      fetch: (input, init) => {
        asked.push(new Request(input).url);
        return fetch(input, init);
      },
    });
    for (const slug of ['one', 'two', 'three']) await acp.primitives.create({ kind: 'skill', slug });
    const rows = lister.primitives.listAll({ per_page: 1 });
    expect(asked).toEqual([]);
    await rows.next();
    await rows.next();
    expect(asked.map((url) => new URL(url).searchParams.get('page'))).toEqual(['1', '2']);
    await lister.primitives.listAll().next();
    expect(new URL(asked.at(-1) ?? '').searchParams.get('per_page')).toBe('100');
  });

  it('may have another field for its rows', async () => {
    const { id, customer_id } = await insertInstance(service, tenant.tenant_id);
    const operator = clientWith({ operationsToken: OPERATIONS_TOKEN });
    const staff = ['Ana', 'Ben', 'Chen'].map((name) => ({ name }));
    expect(await operator.staff.import(id, { staff }, { customer_id })).toMatchObject({ created: 3 });
    const names = (await collect(operator.staff.listAll(id, { customer_id, per_page: 1 }))).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['Ana', 'Ben', 'Chen']);
  });

  it('ends with the error of a page', async () => {
    await expect(collect(acp.subscriptions.listAll(NOBODY))).rejects.toMatchObject({ status: 404 });
  });
});

it('hands out a file as its bytes', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const answer = () => Promise.resolve(new Response(bytes, { headers: { 'content-type': 'image/png' } }));
  const client = new ControlPlane({ baseUrl: service.base_url, apiKey: tenant.key, fetch: answer });
  expect(await client.conversations.getMedia(NOBODY, '1')).toEqual(bytes);
});
