import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { failUpgradesOf } from '../../../server/test/support/rollouts.ts';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { type Furnished, furnishedTenant } from '../support/furnished.ts';

interface Visit {
  tenant: Furnished;
  visitor: Visitor;
  page: Page;
  recipe_id: string;
  instances: readonly string[];
}

/** A recipe of the test's own at r2, with two agents at r1. */
async function visit(): Promise<Visit> {
  const tenant = await furnishedTenant();
  const { acp, customer_id } = tenant;
  const { id: recipe_id } = await acp.recipes.create({
    name: `Desk ${randomUUID()}`,
    system_prompt: 'first',
  });
  const place = await acp.instances.get(tenant.instance_id);
  const instances: string[] = [];
  for (const hostname of ['desk-1', 'desk-2']) {
    const { instance_id } = await acp.deployment.deployRecipe({
      recipe_id,
      customer_id,
      tier_id: place.tier_id,
      region_id: place.region_id,
      hostname,
    });
    instances.push(instance_id ?? expect.unreachable());
  }
  await expect
    .poll(async () => (await acp.instances.list({ recipe_id })).items.map(({ status }) => status))
    .toEqual(['running', 'running']);
  await acp.recipes.update(recipe_id, { system_prompt: 'second' });
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/recipes/${recipe_id}/rollouts`);
  return { tenant, visitor, page, recipe_id, instances };
}

it('rolls a revision out, shows how far it is, and takes it back', async () => {
  const { tenant, visitor, page, recipe_id } = await visit();
  await page.getByText('No revision was rolled out yet').waitFor();
  await page.getByRole('button', { name: 'Roll out' }).click();
  await page.getByText('It reaches 2 agents.').waitFor();
  await expectGoodLooks(visitor, page, 'rollout-begin');
  await page.getByLabel('Batches').fill('50, 100');
  await page.getByLabel('Pause between them, in seconds').fill('0');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page
    .getByText('2 of 2 agents')
    .or(page.getByText('done', { exact: true }))
    .first()
    .waitFor();
  const table = page.getByRole('table', { name: 'Agents of the rollout' });
  await expect.poll(() => table.getByText('upgraded', { exact: true }).count()).toBe(2);
  await expectGoodLooks(visitor, page, 'rollout');
  await page.getByRole('button', { name: 'Roll back…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await expect.poll(() => table.getByText('went back', { exact: true }).count()).toBe(2);
  await page.getByText('rolled back', { exact: true }).waitFor();
  const { items } = await tenant.acp.instances.list({ recipe_id });
  expect(items.map(({ recipe_revision }) => recipe_revision)).toEqual([1, 1]);
  await page.getByRole('link', { name: 'Rollouts' }).click();
  await page.getByRole('table', { name: 'Rollouts' }).waitFor();
  await expectGoodLooks(visitor, page, 'rollouts');
});

it('pauses, resumes and stops one, and says why it stopped by itself', async () => {
  const { page, instances } = await visit();
  const end = failUpgradesOf(instances[1]);
  await page.getByRole('button', { name: 'Roll out' }).click();
  await page.getByLabel('Batches').fill('100, 50');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByText('Batches are rising percentages').waitFor();
  await page.getByLabel('Batches').fill('50, 100');
  await page.getByLabel('Pause between them, in seconds').fill('3600');
  await page.getByRole('button', { name: 'Begin' }).click();
  // Where the first agent still waits, a rollout that resumes rests after it for the hour.
  const table = page.getByRole('table', { name: 'Agents of the rollout' });
  await table.getByText('upgraded', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  const stopped = page.getByText('stopped: an upgrade failed');
  await stopped.waitFor();
  await page.getByText('It is of no use').waitFor();
  end();
});
