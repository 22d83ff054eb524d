import { expect, it } from 'vitest';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { theHouse } from '../support/house.ts';

const PASSWORD = 'my own long sentence';

it('signs in, and comes back to the page that was asked for', async () => {
  const house = await theHouse();
  const tenant = await house.createTenant();
  const visitor = await Visitor.at(house.base_url);
  const page = await visitor.open('/customers');
  await page.getByLabel('E-mail').fill(tenant.admin_email);
  await page.getByLabel('Password').fill('not this one, surely');
  await page.keyboard.press('Enter');
  await page
    .getByRole('alert')
    .filter({ hasText: /password/i })
    .waitFor();
  visitor.complaints.length = 0;
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Customers' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/customers');
});

it('looks good at the door', async () => {
  const house = await theHouse();
  const visitor = await Visitor.at(house.base_url);
  await expectGoodLooks(visitor, await visitor.open('/sign-in'), 'sign-in');
});

it('takes the token of an invitation out of the address, and lets a colleague in', async () => {
  const house = await theHouse();
  const { api } = await house.createTenant();
  const email = `colleague-${Date.now()}@example.com`;
  const invited = await api.post<{ invitation_token: string }>('/v1/users/invitations', {
    email,
    role: 'member',
  });
  const visitor = await Visitor.at(house.base_url);
  const page = await visitor.open(`/invitations/accept#token=${invited.body.invitation_token}`);
  await page.getByLabel('Your password').fill(PASSWORD);
  expect(page.url()).not.toContain('token');
  await expectGoodLooks(visitor, page, 'invitation');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Customers' }).count()).toBe(0);
});

it('opens by a one-time link', async () => {
  const house = await theHouse();
  const { tenant_id, admin_user_id } = await house.createTenant();
  const { body } = await house.operations.post<{ url: string }>(
    `/internal/v1/tenants/${tenant_id}/users/${admin_user_id}/sign-in-link`,
  );
  const visitor = await Visitor.at(house.base_url);
  const page = await visitor.open(body.url.slice(house.base_url.length));
  await page.getByRole('heading', { name: 'Your first agent' }).waitFor();
  expect(page.url()).toBe(`${house.base_url}/`);
  const again = await visitor.open(body.url.slice(house.base_url.length));
  await again.getByRole('heading', { name: 'This link does not open' }).waitFor();
});
