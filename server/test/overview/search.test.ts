import { expect, it } from 'vitest';
import { conversationWith, uniqueSender, write } from '../support/conversations.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance } from '../support/instances.ts';
import { sharedService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { createEndpoint } from '../support/webhook.ts';

interface Item {
  kind: string;
  id: string;
  name: string;
  detail: string | null;
  customer_id?: string | null;
}

const service = await sharedService('idle');

const find = async (api: TestTenant['api'], query: string): Promise<Item[]> => {
  const { status, body } = await api.get<{ items: Item[] }>(`/v1/search?${query}`);
  expect(status).toBe(200);
  return body.items;
};

/** One row of each kind that is called after the harbour. */
async function settle() {
  const tenant = await service.createTenant();
  const crew = await Crew.gather(service, tenant);
  const { id: instance_id, customer_id } = crew.instance;
  await service.database.query(
    `update customers set company_name = 'Harbour Group', email = $2 where id = $1`,
    [customer_id, 'office@example.com'],
  );
  await service.database.query(`update instances set hostname = 'harbour.example.com' where id = $1`, [
    instance_id,
  ]);
  const person = await crew.add({ name: 'Harbour Master', role: 'employee', email: 'master@example.com' });
  const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', {
    name: 'The harbour desk',
    description: 'Berths',
  });
  const agent = await createEndpoint(service, tenant);
  const sender = uniqueSender();
  await write(service, agent, sender, 'The harbour is closed');
  const conversation = await conversationWith(tenant, agent, sender);
  await service.database.query(`update conversations set display_name = 'At the HARBOUR' where id = $1`, [
    conversation.id,
  ]);
  return { tenant, instance_id, customer_id, person, recipe: recipe.body, conversation, sender };
}

it('finds each kind by name, without case, and never what was said', async () => {
  const { tenant, instance_id, customer_id, person, recipe, conversation, sender } = await settle();
  const expected = [
    { kind: 'customer', id: customer_id, name: 'Harbour Group', detail: 'office@example.com' },
    { kind: 'person', id: person.id, name: 'Harbour Master', detail: 'master@example.com', customer_id },
    { kind: 'instance', id: instance_id, name: 'harbour.example.com', detail: 'running', customer_id },
    { kind: 'recipe', id: recipe.id, name: 'The harbour desk', detail: 'Berths' },
    {
      kind: 'conversation',
      id: conversation.id,
      name: 'At the HARBOUR',
      detail: sender,
      customer_id: conversation.customer_id,
    },
  ];
  expect(await find(tenant.api, 'q=hArbouR')).toEqual(expected);
  expect(await find(tenant.api, 'q=harbour&kinds=recipe,customer')).toEqual([expected[0], expected[3]]);
  expect(await find(tenant.api, 'q=is%20closed')).toEqual([]);
  const spaced = `%2B${sender.slice(0, 4)}%20${sender.slice(4)}`;
  expect(await find(tenant.api, `q=${spaced}`)).toEqual([expected[4]]);
});

it('shows five of a kind, those that begin with the words first', async () => {
  const { api } = await service.createTenant();
  for (const name of ['An oak', ...Array.from({ length: 6 }, (_, nth) => `Oak ${nth}`)])
    await createCustomer({ api }, { company_name: name });
  expect((await find(api, 'q=oak')).map(({ name }) => name)).toEqual([
    'Oak 0',
    'Oak 1',
    'Oak 2',
    'Oak 3',
    'Oak 4',
  ]);
});

it('finds only what the caller may read', async () => {
  const { tenant } = await settle();
  await insertInstance(service, (await service.createTenant()).tenant_id);
  const kinds = async (role: 'member' | 'admin', ...scopes: string[]) => {
    const key = await service.createKey(tenant.tenant_id, { role, scopes });
    return (await find(service.anonymous.with({ 'x-api-key': key }), 'q=harbour')).map(({ kind }) => kind);
  };
  expect(await kinds('member', '*')).toEqual(['instance', 'recipe', 'conversation']);
  expect(await kinds('admin', 'staff:read')).toEqual(['person']);
  expect(await kinds('admin', 'audit:read')).toEqual([]);
});

it('takes 2 to 100 characters and known kinds', async () => {
  const { api } = await service.createTenant();
  const faults = async (query: string) =>
    (await api.get<{ detail: { loc: string[]; type: string }[] }>(`/v1/search?${query}`)).body.detail.map(
      ({ loc, type }) => `${loc.join('.')} ${type}`,
    );
  expect(await faults('q=a')).toEqual(['query.q string_too_short']);
  expect(await faults(`q=${'a'.repeat(101)}`)).toEqual(['query.q string_too_long']);
  expect(await faults('kinds=customer,boat')).toEqual(['query.q missing', 'query.kinds literal_error']);
});
