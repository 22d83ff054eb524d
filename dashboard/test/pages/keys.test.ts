import { expect, it } from 'vitest';
import { expectAccessible, pressTogether, settled, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

it('finds a customer by a part of its name, from anywhere', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/instances');
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find…').waitFor();
  await page.keyboard.type('harbour log');
  await page.getByRole('option', { name: /Harbour Logistics/ }).waitFor();
  await expectAccessible(page, 'the palette');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/customers/${tenant.customer_id}/overview`);
  expect(visitor.complaints).toEqual([]);
});

it('goes to pages by two letters, but not while somebody types', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/');
  await settled(page);
  await pressTogether(page, 'gc');
  await page.getByRole('heading', { name: 'Customers' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
  await page.keyboard.press('/');
  await page.keyboard.type('go');
  expect(new URL(page.url()).pathname).toBe('/customers');
});

it('jumps over the menu by the first tab stop', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/customers');
  await settled(page);
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
});
