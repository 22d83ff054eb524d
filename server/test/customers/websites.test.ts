import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normaliseHostname } from '../../src/customers/websites.ts';
import { createCustomer } from '../support/customers.ts';
import { growthOf, LESS_THAN_QUADRATIC } from '../support/growth.ts';
import { manyLetters } from '../support/many-letters.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  [tenant, stranger] = await Promise.all([service.createTenant(), service.createTenant()]);
});
afterAll(() => service.stop());

interface Website {
  id: string;
  hostname: string;
}

const newPath = async (owner: TestTenant) => `/v1/customers/${await createCustomer(owner)}/websites`;

const LABEL_63 = 'a'.repeat(63);
const NAME_253 = [LABEL_63, LABEL_63, LABEL_63, 'a'.repeat(61)].join('.');

describe('normaliseHostname', () => {
  it.each([
    ['Shop.Example.COM', 'shop.example.com'],
    ['shop.example.com:8443', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['Shop.example.com.:443', 'shop.example.com'],
    ['localhost', 'localhost'],
    ['1-2.example', '1-2.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    [NAME_253, NAME_253],
    [`${NAME_253}.:65535`, NAME_253],
  ])('%s is %s', (text, hostname) => {
    expect(normaliseHostname(text)).toBe(hostname);
  });

  it.each([
    '',
    '.',
    ':80',
    'a..b',
    'a.b..',
    '.a.b',
    '-a.b',
    'a-.b',
    'a_b.c',
    ' a.b',
    'a.b\n',
    'a\tb.ü',
    'a%62.ü',
    'https://a.b',
    'a.b/c',
    'a.b:port',
    'a.b:123456',
    '[::1]:80',
    `a${LABEL_63}.b`,
    `a${NAME_253}`,
    `${NAME_253}a`,
    '\u{1F4A9}\u{FFFD}.b',
  ])('%j is no hostname', (text) => {
    expect(normaliseHostname(text)).toBeUndefined();
  });
});

describe('websites', () => {
  it('are added normalised, listed newest first, and removed', async () => {
    const path = await newPath(tenant);
    const first = await tenant.api.post<Website>(path, { hostname: 'One.Example.com.:8080' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(String),
      tenant_id: tenant.tenant_id,
      customer_id: path.split('/')[3],
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

  it('are refused in a time that does not grow with the square of a name in letters of all kinds', async () => {
    const path = await newPath(tenant);
    const refuse = async (length: number) => {
      const hostname = manyLetters(length);
      expect((await tenant.api.post(path, { hostname })).status).toBe(422);
    };
    expect(await growthOf(refuse, 2500)).toBeLessThan(LESS_THAN_QUADRATIC);
  });

  it('say what is wrong with a hostname', async () => {
    const path = await newPath(tenant);
    for (const [body, type] of [
      [{}, 'missing'],
      [{ hostname: 1 }, 'string_type'],
      [{ hostname: 'a b' }, 'value_error'],
      [{ hostname: `${NAME_253}a` }, 'value_error'],
    ]) {
      const answer = await tenant.api.post(path, body);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'hostname'], type }] });
    }
  });

  it('have one owner in the whole service, and the answer does not tell whose', async () => {
    const paths = [await newPath(tenant), await newPath(stranger)] as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2
          ? tenant.api.post(paths[0], { hostname: 'Same.example.com' })
          : stranger.api.post(paths[1], { hostname: 'same.example.com:80' }),
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
