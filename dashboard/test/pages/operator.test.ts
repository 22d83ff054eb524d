import { randomUUID } from 'node:crypto';
import { ControlPlane } from '@agent-control-plane/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { FakeLanguageModel } from '../../../server/test/support/fake-language-model.ts';
import { OPERATIONS_TOKEN } from '../../../server/test/support/service.ts';
import { expectGoodLooks, settled, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';
import { theHouse } from '../support/house.ts';

/** A page behind the token, of a browser without a tenant's session. */
async function operatorAt(path: string) {
  const house = await theHouse();
  const visitor = await Visitor.at(house.base_url);
  const page = await visitor.open(path);
  await page.getByLabel('Token', { exact: true }).fill(OPERATIONS_TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor();
  await settled(page);
  const acp = new ControlPlane({ baseUrl: house.base_url, operationsToken: OPERATIONS_TOKEN });
  return { acp, visitor, page };
}

it('asks for the operations token, and asks again after a reload', async () => {
  const house = await theHouse();
  const visitor = await Visitor.at(house.base_url);
  const page = await visitor.open('/operator/overview');
  await expectGoodLooks(visitor, page, 'operator-token');
  await page.getByLabel('Token', { exact: true }).fill('not-this-one');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').waitFor();
  expect(visitor.complaints.splice(0)).toMatchObject([expect.stringContaining('401')]);
  await page.getByLabel('Token', { exact: true }).fill(OPERATIONS_TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('Jobs that are due').waitFor();
  await expectGoodLooks(visitor, page, 'operator-overview');
  await page.reload();
  await page.getByLabel('Token', { exact: true }).waitFor();
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
    OPERATIONS_TOKEN,
  );
});

it('makes a tenant whose admin gets a link, changes a limit and switches it off', async () => {
  const { acp, visitor, page } = await operatorAt('/operator/tenants?open=new');
  const name = `Quay ${randomUUID().slice(0, 8)}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('E-mail of its first admin').fill('ops@quay.example');
  await page.getByRole('button', { name: 'Make the tenant' }).click();
  await page.getByText('/invitations/accept#token=').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Search by name').fill(name);
  await page.getByText('1 tenant.').waitFor();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Limits…' }).click();
  await page.getByLabel('Agents', { exact: true }).fill('7');
  await expectGoodLooks(visitor, page, 'operator-limits');
  await page.getByRole('button', { name: 'Save the limits' }).click();
  await page.getByText('The limits are saved.').waitFor();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Switch off…' }).click();
  await page.getByLabel(`Type ${name}`).fill(name);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText(`${name} is off.`).waitFor();
  const { items } = await acp.call('list_tenants', { query: { search: name } });
  const { tenant_id, is_active } = items[0] ?? expect.unreachable();
  expect(is_active).toBe(false);
  const { limits } = await acp.call('get_tenant', { path: { tenant_id } });
  expect(limits.instances).toBe(7);
});

it('lists the tenants, agents, tasks, messages and hosts of the service', async () => {
  await furnishedTenant();
  const { visitor, page } = await operatorAt('/operator/tenants');
  await expectGoodLooks(visitor, page, 'operator-tenants');
  const menu = page.getByRole('navigation', { name: 'Main', exact: true });
  for (const [link, name] of [
    ['Agents', 'instances'],
    ['Tasks', 'tasks'],
    ['Messages', 'messages'],
    ['Hosts', 'hosts'],
  ] as const) {
    await menu.getByRole('link', { name: link, exact: true }).click();
    await page.getByRole('heading', { name: link }).waitFor();
    await expectGoodLooks(visitor, page, `operator-${name}`);
  }
  await page.getByRole('table', { name: 'Clusters' }).getByText('the hosts above').waitFor();
});

it('restarts the running agents of a tenant', async () => {
  const { tenant_id } = await furnishedTenant();
  const { acp, visitor, page } = await operatorAt(`/operator/instances?tenant=${tenant_id}`);
  await page.getByRole('button', { name: 'Restart…' }).click();
  await page.getByLabel('At the same time').fill('3');
  await expectGoodLooks(visitor, page, 'operator-restart');
  await page.getByRole('button', { name: 'Restart them' }).click();
  await page.getByText(/agents? restart\. See their tasks\./).waitFor();
  const { items } = await acp.call('list_operator_tasks', { query: { tenant_id, per_page: 100 } });
  expect(items.filter(({ kind }) => kind === 'restart').length).toBeGreaterThan(0);
});

it('keeps tiers, regions, manifests and models by forms', async () => {
  const { acp, visitor, page } = await operatorAt('/operator/tiers?open=new');
  const name = `Large ${randomUUID().slice(0, 8)}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Processor').fill('1500');
  await page.getByRole('button', { name: 'Save the tier' }).click();
  await page.getByText(name).waitFor();
  await expectGoodLooks(visitor, page, 'operator-tiers');
  const { items } = await acp.call('list_operator_tiers', { query: { per_page: 100 } });
  expect(items).toContainEqual(expect.objectContaining({ name, cpu_millis: 1500, memory_mib: null }));
  const menu = page.getByRole('navigation', { name: 'Main', exact: true });
  await menu.getByRole('link', { name: 'Regions' }).click();
  await page.getByRole('heading', { name: 'Regions' }).waitFor();
  await expectGoodLooks(visitor, page, 'operator-regions');
  await menu.getByRole('link', { name: 'Manifests' }).click();
  await page.getByRole('button', { name: 'Manifest', exact: true }).click();
  await page.getByLabel('Id', { exact: true }).fill('voice-desk');
  await page.getByLabel('Name', { exact: true }).fill('Voice desk');
  await page.getByLabel('Container image').fill('registry.example/voice:1');
  await page.getByRole('button', { name: 'System prompt' }).click();
  await expectGoodLooks(visitor, page, 'operator-manifest-new');
  await page.getByRole('button', { name: 'Save the manifest' }).click();
  await page.getByText('Voice desk').waitFor();
  await expectGoodLooks(visitor, page, 'operator-manifests');
  await menu.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('button', { name: 'Change' }).first().click();
  await expectGoodLooks(visitor, page, 'operator-model');
});

it('sets a model provider, and replaces the key of the authority', async () => {
  const { acp, visitor, page } = await operatorAt('/operator/llm-providers?open=new');
  const provider = await FakeLanguageModel.start();
  onTestFinished(() => provider.stop());
  provider.respond = (response) => response.end(JSON.stringify({ data: [{ id: 'small' }] }));
  await page.getByLabel('Short name').fill('house');
  await page.getByLabel('Address').fill(provider.base_url);
  await page.getByRole('button', { name: 'Save and check' }).click();
  await page.getByText(/^answers/).waitFor();
  await expectGoodLooks(visitor, page, 'operator-providers');
  await acp.call('delete_llm_provider', { path: { slug: 'house' } });
  const menu = page.getByRole('navigation', { name: 'Main', exact: true });
  await menu.getByRole('link', { name: 'Authority' }).click();
  await page.getByRole('button', { name: 'Replace the issuing key…' }).click();
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByText('A new key issues certificates').waitFor();
  await page.getByText('signs nothing more').waitFor();
  await expectGoodLooks(visitor, page, 'operator-authority');
});

it('moves the agents of a cluster away', async () => {
  const { acp, visitor, page } = await operatorAt('/operator/hosts');
  await page.getByRole('table', { name: 'Clusters' }).waitFor();
  expect(await page.getByRole('button', { name: 'Move agents away…' }).count()).toBe(0);
  const region_id = `r-${randomUUID().slice(0, 8)}`;
  const id = `${region_id}-docker`;
  await acp.call('put_region', { path: { region_id }, body: {} });
  await acp.operator.putCluster(id, { region_id, engine: 'docker' });
  onTestFinished(() => acp.operator.deleteCluster(id));
  await page.getByRole('button', { name: 'Move agents away…' }).click();
  await page.getByLabel('Cluster', { exact: true }).selectOption(id);
  await page.getByLabel('To', { exact: true }).selectOption('default');
  await expectGoodLooks(visitor, page, 'operator-drain');
  await page.getByRole('button', { name: 'Move them' }).click();
  await page.getByText('No agent moves now.').waitFor();
  const { items } = await acp.operator.listClusters();
  expect(items.find((cluster) => cluster.id === id)).toMatchObject({ is_active: false });
});
