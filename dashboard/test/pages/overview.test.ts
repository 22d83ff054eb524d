import { expect, it } from 'vitest';
import { expectGoodLooks, settled, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';
import { theHouse } from '../support/house.ts';

it('says at once what wants a person, and leads there', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/');
  await page.getByRole('heading', { name: /things want a person$/ }).waitFor();
  await expectGoodLooks(visitor, page, 'overview');
  await page.getByRole('link', { name: /^Decide/ }).click();
  await expect.poll(() => page.url()).toContain(`/approvals/${tenant.approval_id}`);
});

it('begins with a first agent, which stays on screen until it is left', async () => {
  const house = await theHouse();
  const tenant = await house.createTenant('My agency');
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/');
  await page.getByRole('heading', { name: 'Your first agent' }).waitFor();
  await expectGoodLooks(visitor, page, 'welcome');
  await page.getByRole('button', { name: 'Deploy and talk' }).click();
  await page.getByText('Running after').waitFor();
  await page.getByRole('button', { name: 'who can forklift' }).click();
  await page.getByRole('article').filter({ hasText: 'who can forklift' }).waitFor();
  await settled(page);
  await expectGoodLooks(visitor, page, 'welcome-talk');
  const { body } = await tenant.api.get<{ items: { status: string }[] }>('/v1/instances');
  expect(body.items.map(({ status }) => status)).toEqual(['running']);
  await page.getByRole('button', { name: 'Go to the overview' }).click();
  await page.getByRole('heading', { name: /want/ }).waitFor();
});
