import { expect, it } from 'vitest';
import { PAGE_PATHS } from '../../../server/src/dashboard/page-paths.ts';
import { settled, Visitor } from '../support/browser.ts';
import { type Furnished, furnishedTenant } from '../support/furnished.ts';

/** Pages of people who are not signed in; `doors.test.ts` opens them. */
const DOORS = ['/sign-in', '/start', '/invitations/accept', '/password-reset'];

async function rolledOut({ acp, recipe_id }: Furnished): Promise<string> {
  const begun = await acp.rollouts.start(recipe_id, { revision: 1 });
  return 'status' in begun ? begun.id : expect.unreachable();
}

it('opens every address that is served', async () => {
  const tenant = await furnishedTenant();
  const ids: Record<string, string> = {
    conversation_id: tenant.taken_id,
    approval_id: tenant.approval_id,
    instance_id: tenant.instance_id,
    recipe_id: tenant.recipe_id,
    customer_id: tenant.customer_id,
    revision: '1',
    rollout_id: await rolledOut(tenant),
  };
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/');
  const paths = PAGE_PATHS.filter((path) => !DOORS.includes(path));
  expect(paths.length).toBeGreaterThan(60);
  for (const path of paths) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? expect.unreachable(path));
    await page.goto(tenant.house.base_url + address);
    await settled(page);
    const heading = await page.locator('h1').first().textContent();
    expect(heading, path).not.toMatch(/no such page|does not open/);
    expect(await page.getByRole('alert').allTextContents(), path).toEqual([]);
  }
  expect(visitor.complaints).toEqual([]);
});
