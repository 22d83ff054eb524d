import { randomUUID } from 'node:crypto';
import type { Recipe } from '@agent-control-plane/sdk';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectGoodLooks, pressTogether, settled, Visitor } from '../support/browser.ts';
import { type Furnished, furnishedTenant } from '../support/furnished.ts';

interface Visit {
  tenant: Furnished;
  visitor: Visitor;
  recipe: Recipe;
  page: Page;
}

/** A recipe of the test's own, because it changes it. */
async function visit(path: (recipe: Recipe) => string): Promise<Visit> {
  const tenant = await furnishedTenant();
  const recipe = await tenant.acp.recipes.create({
    name: `Front desk ${randomUUID().slice(0, 4)}`,
    description: 'Answers the customers of a harbour',
    system_prompt:
      'You answer the customers of a harbour logistics company.\nBriefly, and in their language.',
    skills: ['staff_query', { slug: 'timesheet', pin_required: true }],
    channel_types: ['chatapp'],
    connection_requirements: [{ provider: 'chatapp' }],
    mcp_servers: [{ name: 'billing', url: 'https://mcp.billing.example/mcp', provider: 'billing' }],
    approval_rules: {
      require: [
        { tool: 'billing__*', by: 'person', expires_minutes: 60 },
        { tool: 'crm__*', by: 'person' },
      ],
    },
    channel_config: {
      greeting: 'Good morning!',
      business_hours: Object.fromEntries(
        ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['08:00', '18:00']]]),
      ),
      away_message: 'We are back at eight.',
    },
    voice_config: { tone: 'calm' },
  });
  const visitor = await Visitor.of(tenant.house, tenant);
  return { tenant, visitor, recipe, page: await visitor.open(path(recipe)) };
}

const editOf = ({ id }: Recipe) => `/recipes/${id}/edit`;

it('the gallery and the own recipes look good', async () => {
  const { visitor, page } = await visit(() => '/recipes');
  await expectGoodLooks(visitor, page, 'recipes');
});

it('begins each page at its heading, by keys alone', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open('/');
  await settled(page);
  const focused = () => page.evaluate('document.activeElement.textContent');
  await pressTogether(page, 'gr');
  await expect.poll(focused).toBe('Recipes');
  await page.getByRole('link', { name: 'Crew desk' }).first().waitFor();
  await page.keyboard.type('jj');
  await expect.poll(focused).toBe('Appointment desk');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Appointment desk r1');
});

it('clones a template of the platform', async () => {
  const { tenant, visitor, page } = await visit(() => '/recipes');
  await page.getByRole('link', { name: 'Clone Appointment desk' }).click();
  const name = `Appointments ${randomUUID()}`;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/edit');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  const [made] = await tenant.acp.recipes.list({ search: name });
  expect(made).toMatchObject({ name, channel_types: ['chatapp'], is_platform_template: false });
  expect(visitor.complaints).toEqual([]);
});

it('shows one draft as a form, YAML and JSON, and saves it', async () => {
  const { tenant, visitor, recipe, page } = await visit(editOf);
  await page.getByLabel('Greeting').fill('Hello there!');
  await page.getByRole('button', { name: 'drive_search' }).first().click();
  await page.getByText('2 unsaved changes').waitFor();
  const plan = page.getByRole('complementary', { name: 'What an agent gets' });
  await plan.getByText('staff_query, timesheet, drive_search').waitFor();
  await expectGoodLooks(visitor, page, 'recipe-edit');
  await page.getByRole('link', { name: 'YAML' }).click();
  await page.getByText('greeting: Hello there!').waitFor();
  await expectGoodLooks(visitor, page, 'recipe-yaml');
  await page.getByRole('button', { name: 'Save as r2' }).click();
  await page.getByText('Saved as r2').waitFor();
  expect(await tenant.acp.recipes.get(recipe.id)).toMatchObject({
    revision: 2,
    channel_config: { greeting: 'Hello there!', away_message: 'We are back at eight.' },
    skills: ['staff_query', { slug: 'timesheet', pin_required: true }, 'drive_search'],
    voice_config: { tone: 'calm' },
  });
  await page.getByRole('link', { name: 'JSON' }).click();
  await page.getByText('"Hello there!"').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await plan.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Plan' }).click();
  await plan.getByText('staff_query, timesheet, drive_search').waitFor();
  await expectGoodLooks(visitor, page, 'recipe-plan');
});

it('fills the form by a language model, and saves nothing', async () => {
  const { tenant, recipe, page } = await visit(editOf);
  tenant.house.model.says(
    JSON.stringify({
      name: 'Crew desk',
      description: 'Answers a crew',
      system_prompt: 'You help a crew.',
      skills: ['staff_query'],
      channel_types: ['chatapp'],
      connection_requirements: [],
      model_policy: {},
    }),
  );
  await page.getByRole('button', { name: 'Draft from a description' }).click();
  await page.getByRole('textbox', { name: 'What is the agent to do?' }).fill('Help a crew with its shifts');
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('You help a crew.');
  expect((await tenant.acp.recipes.get(recipe.id)).revision).toBe(1);
});

it('holds long names', async () => {
  const tenant = await furnishedTenant();
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  const { id } = await tenant.acp.recipes.create({
    name: `شركة الميناء للخدمات اللوجستية ${long}`,
    description: long + long,
    skills: ['staff_query', { slug: long, pin_required: true }],
    connection_requirements: [{ provider: long }],
    mcp_servers: [{ name: long, url: `https://${long}.example/mcp`, provider: long }],
    approval_rules: { require: [{ tool: long, by: 'person', expires_minutes: 77 }] },
  });
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/recipes/${id}/edit`);
  await page.locator('summary', { hasText: 'nothing set' }).click();
  await expectGoodLooks(visitor, page, 'recipe-long');
  await page.goto(`${tenant.house.base_url}/recipes/${id}/revisions/1`);
  await expectGoodLooks(visitor, page, 'recipe-long-revision');
});

it('says where a text is no recipe, and keeps it', async () => {
  const { recipe, page } = await visit((made) => `${editOf(made)}?as=yaml`);
  const editor = page.getByRole('textbox', { name: 'The recipe as YAML' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('skils: [faq]');
  await page.getByText('A recipe has no field skils.').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save as r2' }).isDisabled()).toBe(true);
  // Letters that took half a second are taken back one by one.
  const isBack = async () => {
    await page.keyboard.press('ControlOrMeta+z');
    return page.getByText('Nothing to save').isVisible();
  };
  await expect.poll(isBack).toBe(true);
  await page.keyboard.type('is_active: false');
  await page.getByText('1 unsaved change').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText(`name: ${recipe.name}`).waitFor();
});

it('shows a template of the platform to read', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const [template] = await tenant.acp.recipes.list({ search: 'Order desk' });
  const page = await visitor.open(`/recipes/${template?.id}/edit`);
  await page.getByRole('link', { name: 'Clone to change it' }).waitFor();
  expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(0);
  await expectGoodLooks(visitor, page, 'recipe-template');
});

it('asks before a draft is left', async () => {
  const { page } = await visit(editOf);
  await page.getByLabel('Greeting').fill('Hello there!');
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByLabel('Greeting').inputValue()).toBe('Hello there!');
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
});

it('puts a draft on a revision that somebody else saved meanwhile', async () => {
  const { tenant, recipe, page } = await visit(editOf);
  await page.getByLabel('Greeting').fill('Hello there!');
  await tenant.acp.recipes.update(recipe.id, { description: 'Theirs', skills: ['staff_query'] });
  await page.getByRole('button', { name: 'Put them on r2' }).click();
  await page.getByRole('button', { name: 'Save as r3' }).click();
  await page.getByText('Saved as r3').waitFor();
  expect(await tenant.acp.recipes.get(recipe.id)).toMatchObject({
    revision: 3,
    description: 'Theirs',
    skills: ['staff_query'],
    channel_config: { greeting: 'Hello there!' },
  });
});

it('compares two revisions and restores one', async () => {
  const { tenant, visitor, recipe, page } = await visit((made) => `/recipes/${made.id}/revisions`);
  await tenant.acp.recipes.update(recipe.id, {
    system_prompt: 'You answer the customers of a harbour logistics company.\nAt length.',
    skills: ['staff_query'],
  });
  await page.getByRole('link', { name: 'r2' }).waitFor();
  await page.getByRole('cell', { name: 'Prompt and Skills' }).waitFor();
  await expectGoodLooks(visitor, page, 'recipe-revisions');
  await page.getByRole('link', { name: 'r2' }).click();
  await page.getByText('At length.').waitFor();
  await expectGoodLooks(visitor, page, 'recipe-revision');
  await page.goto(`${tenant.house.base_url}/recipes/${recipe.id}/revisions/1?against=2`);
  await page.getByRole('button', { name: 'Restore as r3' }).click();
  await page.getByText('r1 is back as r3').waitFor();
  expect(await tenant.acp.recipes.get(recipe.id)).toMatchObject({
    revision: 3,
    system_prompt: recipe.system_prompt,
  });
});

it('lists the agents of a recipe', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/recipes/${tenant.recipe_id}/agents`);
  await page.getByRole('link', { name: 'crew.harbour.example' }).waitFor();
  await expectGoodLooks(visitor, page, 'recipe-agents');
});

it('talks with an agent of the recipe', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/recipes/${tenant.recipe_id}/try`);
  await expectGoodLooks(visitor, page, 'recipe-try-new');
  await page.getByRole('textbox', { name: 'Message' }).fill('Who drives a forklift?');
  await page.keyboard.press('Enter');
  await page.waitForURL('**conversation=*');
  const conversation_id = new URL(page.url()).searchParams.get('conversation');
  const path = `/internal/v1/instances/${tenant.instance_id}/conversations/${conversation_id}/messages`;
  await tenant.house.operations.post(path, { text: 'Ana Silva and Ben Okafor.' });
  await page.getByText('Ana Silva and Ben Okafor.').waitFor();
  await expectGoodLooks(visitor, page, 'recipe-try');
});

it('offers to deploy one where no agent runs', async () => {
  const { visitor, page } = await visit(({ id }) => `/recipes/${id}/try`);
  await page.getByRole('link', { name: 'Deploy one without a number' }).waitFor();
  await expectGoodLooks(visitor, page, 'recipe-try-none');
});

it('deletes a recipe, whose agents go on', async () => {
  const { tenant, visitor, recipe, page } = await visit(editOf);
  await page.getByRole('button', { name: `More about ${recipe.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('**/recipes');
  await settled(page);
  expect(await tenant.acp.recipes.list({ search: recipe.name })).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

it('saves a recipe from an agent', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/recipes?begin=agent&from=${tenant.instance_id}`);
  const name = `As it is ${randomUUID()}`;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Save as a recipe' }).click();
  await expect.poll(async () => (await tenant.acp.recipes.list({ search: name })).length).toBe(1);
  const [made] = await tenant.acp.recipes.list({ search: name });
  expect(made).toMatchObject({ source_instance_id: tenant.instance_id });
});
