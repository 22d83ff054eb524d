import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinAsOwner, OWN_PASSWORD } from '../support/accounts.ts';
import type { Answer, Client } from '../support/client.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

interface Signed {
  access_token: string;
  tenant_id: string;
  role: string;
}

const PATH = '/auth/browser-session';
const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'a-password-by-link-9';

let service: TestService;
let tenant: TestTenant;
let page: Client;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
  page = service.anonymous.with({ 'sec-fetch-site': 'same-origin' });
});
afterAll(() => service.stop());

/** The cookie that the answer sets, as a browser sends it back. */
const cookieOf = ({ headers }: Answer<unknown>) => headers.get('set-cookie')?.split(';', 1)[0] ?? '';
const withCookie = (answer: Answer<unknown>) => page.with({ cookie: cookieOf(answer) });
const signIn = (password = PASSWORD, { admin_email } = tenant) =>
  page.post<Signed>(PATH, { email: admin_email, password });
const bearer = ({ body }: Answer<Signed>) =>
  service.anonymous.with({ authorization: `Bearer ${body.access_token}` });
const newLink = async () => {
  const at = `/internal/v1/tenants/${tenant.tenant_id}/users/${tenant.admin_user_id}/sign-in-link`;
  return service.operations.post<{ url: string; expires_at: string }>(at);
};
const tokenOf = (url: string) => new URL(url).hash.replace('#token=', '');

it('keeps the refresh token in a cookie that only its own routes get', async () => {
  const signed = await signIn();
  expect(signed.status).toBe(200);
  expect(Object.keys(signed.body).toSorted()).toEqual(
    ['access_token', 'expires_in', 'role', 'tenant_id', 'token_type'].toSorted(),
  );
  const { port } = new URL(service.base_url);
  expect(signed.headers.get('set-cookie')).toMatch(
    new RegExp(`^acp_session_${port}=art_[^;]+; Max-Age=2592000; Path=${PATH}; HttpOnly; SameSite=Strict$`),
  );
  expect((await bearer(signed).get('/v1/me')).status).toBe(200);
  const renewed = await withCookie(signed).post<Signed>(`${PATH}/refresh`, {});
  expect([renewed.status, renewed.body.tenant_id]).toEqual([200, tenant.tenant_id]);
  expect(cookieOf(renewed)).not.toBe(cookieOf(signed));
  const ended = await withCookie(renewed).delete(PATH);
  expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
    204,
    expect.stringContaining('Max-Age=0'),
  ]);
  expect((await bearer(renewed).get('/v1/me')).status).toBe(401);
  expect((await withCookie(renewed).post(`${PATH}/refresh`, {})).status).toBe(401);
});

it('renews nothing without a cookie', async () => {
  expect((await page.post(`${PATH}/refresh`, {})).status).toBe(204);
  expect((await page.post(`${PATH}/tenant`, { tenant_id: tenant.tenant_id })).status).toBe(401);
  expect((await page.delete(PATH)).status).toBe(204);
});

const HOST = 'acp.example:8080';

it.each([
  [200, { 'sec-fetch-site': 'same-origin' }],
  [403, { 'sec-fetch-site': 'same-site' }],
  [403, { 'sec-fetch-site': 'cross-site', origin: `http://${HOST}` }],
  [403, { 'sec-fetch-site': 'none' }],
  [403, {}],
  [200, { origin: 'http://OWN' }],
  [403, { origin: 'http://evil.example' }],
  [403, { origin: 'null' }],
])('answers %i to %j', async (status, headers) => {
  const own = new URL(service.base_url).host;
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]),
  );
  const { status: got } = await service.anonymous
    .with(sent)
    .post(PATH, { email: tenant.admin_email, password: PASSWORD });
  expect(got).toBe(status);
});

it('goes to another tenant, of which other tabs hear at their renewal', async () => {
  const other = await service.createTenant();
  const home = await service.createTenant();
  await joinAsOwner(service, home, other);
  const signed = await signIn(OWN_PASSWORD, home);
  const moved = await withCookie(signed).post<Signed>(`${PATH}/tenant`, { tenant_id: other.tenant_id });
  expect([moved.status, moved.body.tenant_id, moved.body.role]).toEqual([200, other.tenant_id, 'member']);
  const browser = withCookie(moved);
  expect((await browser.post(`${PATH}/refresh`, { tenant_id: home.tenant_id })).status).toBe(409);
  expect((await browser.post(`${PATH}/refresh`, { tenant_id: other.tenant_id })).status).toBe(200);
  const stranger = await service.createTenant();
  const refused = await withCookie(await signIn()).post(`${PATH}/tenant`, { tenant_id: stranger.tenant_id });
  expect(refused.status).toBe(404);
});

it('signs in by a link once, within a quarter of an hour', async () => {
  const link = await newLink();
  expect(link.status).toBe(201);
  expect(link.body.url).toMatch(new RegExp(`^${service.base_url}/start#token=aslt_`));
  const token = tokenOf(link.body.url);
  const both = await Promise.all([1, 2].map(() => page.post(`${PATH}/link`, { token })));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  expect((await service.anonymous.post(`${PATH}/link`, { token })).status).toBe(403);
  const late = tokenOf((await newLink()).body.url);
  service.clock.advance(15 * MINUTE_MS + 1000);
  expect((await page.post(`${PATH}/link`, { token: late })).status).toBe(404);
});

it('makes no link for a user of another tenant', async () => {
  const other = await service.createTenant();
  const at = `/internal/v1/tenants/${other.tenant_id}/users/${tenant.admin_user_id}/sign-in-link`;
  expect((await service.operations.post(at)).status).toBe(404);
});

it('lets a session of a link set the password once within the hour', async () => {
  const enter = async () =>
    bearer(await page.post<Signed>(`${PATH}/link`, { token: tokenOf((await newLink()).body.url) }));
  const faultOf = async (client: Client) =>
    (await client.patch<{ detail: unknown }>('/v1/me', { new_password: NEW_PASSWORD })).body?.detail;
  const missing = [{ loc: ['body', 'current_password'], msg: 'Field required', type: 'missing' }];
  const first = await enter();
  const both = await Promise.all([1, 2].map(() => first.patch('/v1/me', { new_password: NEW_PASSWORD })));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 422]);
  expect((await signIn(NEW_PASSWORD)).status).toBe(200);
  expect(await faultOf(first)).toEqual(missing);
  expect(await faultOf(bearer(await signIn(NEW_PASSWORD)))).toEqual(missing);
  const slow = await enter();
  service.clock.advance(60 * MINUTE_MS + 1000);
  expect((await signIn(NEW_PASSWORD)).status).toBe(200);
  expect((await slow.get('/v1/me')).status).toBe(401);
});
