import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectNoSidewaysScroll, settled, Visitor } from '../support/browser.ts';
import { clientOf } from '../support/furnished.ts';
import { theHouse } from '../support/house.ts';

/** Markup, a script, an address that lies, characters that turn or hide text, and no blank for a long while. */
const HOSTILE =
  '<img src=x onerror="window.broken=1"><script>window.broken=1</script>\u202Egnp.exe\u200B javascript:window.broken=1 ' +
  'W'.repeat(120);

it('shows text of strangers harmlessly on every list and head', async () => {
  const house = await theHouse();
  const tenant = await house.createTenant(HOSTILE.slice(0, 150));
  const acp = await clientOf(house, tenant);
  const { id: customer_id } = await acp.customers.create({
    email: `${randomUUID()}@example.com`,
    company_name: HOSTILE.slice(0, 200),
  });
  const { id: recipe_id } = await acp.recipes.create({
    name: HOSTILE.slice(0, 200),
    description: HOSTILE.repeat(300),
    system_prompt: HOSTILE.repeat(300),
  });
  await acp.staff.createCustomerStaff(customer_id, { name: HOSTILE.slice(0, 200), skills: ['forklift'] });
  await acp.call('create_website', { path: { customer_id }, body: { hostname: 'harbour.example' } });
  await acp.apiKeys.create({ name: HOSTILE.slice(0, 100), scopes: ['recipes:read'] });
  const visitor = await Visitor.of(house, tenant);
  const page = await visitor.open('/');
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  for (const path of [
    '/recipes',
    `/recipes/${recipe_id}/edit`,
    `/recipes/${recipe_id}/revisions`,
    `/recipes/${recipe_id}/revisions/1`,
    `/deploy?recipe=${recipe_id}&customer=${customer_id}`,
    '/customers',
    `/customers/${customer_id}/overview`,
    `/customers/${customer_id}/staff`,
    `/customers/${customer_id}/shifts`,
    '/settings/keys',
    '/settings/audit',
    '/settings/me',
  ]) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(house.base_url + path);
      await settled(page);
      const where = `${path} at ${width}`;
      expect(await page.evaluate('window.broken'), where).toBeUndefined();
      await expectNoSidewaysScroll(page, where);
      expect(await page.locator('main').innerText(), where).not.toContain('\u202E');
    }
  }
  expect(dialogs).toBe(0);
  expect(visitor.complaints).toEqual([]);
});
