import { beforeAll, describe, expect, it } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
  [tenant, stranger] = await Promise.all([service.createTenant(), service.createTenant()]);
});

interface Website {
  id: string;
  hostname: string;
}

const newPath = async (owner: TestTenant) => `/v1/customers/${await createCustomer(owner)}/websites`;

const TOO_LONG = `${'a.'.repeat(126)}aa`;

describe('websites', () => {
  it('are normalised, listed newest first and removed', async () => {
    const path = await newPath(tenant);
    const first = await tenant.api.post<Website>(path, { hostname: 'One.Example.com.:8080' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id: path.split('/')[3],
      customer_name: expect.stringMatching(/@example.com$/),
      hostname: 'one.example.com',
      created_at: expect.any(String),
    });
    const second = await tenant.api.post<Website>(path, { hostname: 'two.example.com' });
    expect((await tenant.api.get(path)).body).toEqual({
      items: [second.body, first.body],
      page: 1,
      per_page: 20,
      total: 2,
    });
    expect((await tenant.api.get(`${path}?page=3`)).body).toMatchObject({ items: [], page: 3, total: 2 });
    expect((await tenant.api.delete(`${path}/${first.body.id}`)).status).toBe(204);
    expect((await tenant.api.delete(`${path}/${first.body.id}`)).status).toBe(404);
    expect((await tenant.api.get(path)).body).toMatchObject({ items: [second.body], total: 1 });
    expect((await tenant.api.post(path, { hostname: 'one.example.com' })).status).toBe(201);
  });

  it('refuse an invalid hostname with 422', async () => {
    const path = await newPath(tenant);
    for (const hostname of ['', 'a b', 'a..b', TOO_LONG, '\u{1F4A9}\u{FFFD}.b']) {
      const answer = await tenant.api.post(path, { hostname });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'hostname'] }] });
    }
  });

  it('have one owner per tenant', async () => {
    expect((await stranger.api.post(await newPath(stranger), { hostname: 'same.example.com' })).status).toBe(
      201,
    );
    const paths = [await newPath(tenant), await newPath(tenant)] as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tenant.api.post(paths[index % 2] ?? '', {
          hostname: index % 3 ? 'Same.example.com' : 'same.example.com:80',
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(9);
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
  });

  it('cannot be removed through another customer', async () => {
    const [path, other] = [await newPath(tenant), await newPath(tenant)];
    const { body } = await tenant.api.post<Website>(path, { hostname: 'kept.example.com' });
    const foreign = await tenant.api.delete(`${other}/${body.id}`);
    expect(foreign).toMatchObject({ status: 404, text: '{"detail":"Website not found"}' });
    expect((await tenant.api.get(path)).body).toMatchObject({ total: 1 });
  });
});
