import { EventEmitter, once } from 'node:events';
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { settled, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

const DETAIL = 'Words of the server for people';

/** As the service answers; the address is not reached. */
const refuse = (status: number) => (route: Route) =>
  route.fulfill({
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-of-this-test', 'retry-after': '60' },
    body: JSON.stringify({
      detail: status === 422 ? [{ loc: ['body', 'company_name'], msg: DETAIL, type: 'value_error' }] : DETAIL,
    }),
  });

const cut = (route: Route) => route.abort('connectionrefused');

async function open(path: string): Promise<{ page: Page; visitor: Visitor }> {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(path);
  await settled(page);
  return { page, visitor };
}

it.each([403, 409, 412, 422, 429, 500, 503])(
  'keeps what was typed, and says what a %s means',
  async (status) => {
    const { page } = await open('/customers?open=new');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Quay Nine');
    await page.getByRole('textbox', { name: 'E-mail' }).fill('quay@nine.example');
    await page.route('**/v1/customers', (route) =>
      route.request().method() === 'POST' ? refuse(status)(route) : route.continue(),
    );
    await page.getByRole('button', { name: 'Add the customer' }).click();
    await page.getByText(DETAIL).waitFor();
    expect(await name.inputValue()).toBe('Quay Nine');
    if (status === 422) await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  },
);

it('says that the service is away, and goes on when it is back', async () => {
  const { page } = await open('/');
  await page.route('**/v1/customers?**', cut);
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('alert').filter({ hasText: 'did not answer' }).waitFor();
  await page.unroute('**/v1/customers?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /Harbour Logistics/ }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('shows that it loads when an answer takes long, and moves nothing else', async () => {
  const { page, visitor } = await open('/');
  const gate = new EventEmitter();
  const held = once(gate, 'open');
  await page.route('**/v1/customers?**', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  gate.emit('open');
  await page.getByRole('link', { name: /Harbour Logistics/ }).waitFor();
  expect(visitor.complaints).toEqual([]);
});

it('leads to the door when the session has ended, and back to the page afterwards', async () => {
  const { page } = await open('/usage');
  await page.route('**/v1/**', refuse(401));
  await page.route('**/auth/browser-session/refresh', refuse(401));
  await page.getByRole('link', { name: 'Recipes' }).click();
  await page.getByLabel('Password').waitFor();
  expect(page.url()).toContain('to=');
});
