import { randomUUID } from 'node:crypto';
import { ControlPlane } from '@agent-control-plane/sdk';
import { expect } from 'vitest';
import { callTool, connectToGateway } from '../../../server/test/support/gateway.ts';
import type { TestTenant } from '../../../server/test/support/service.ts';
import { sendMessages, textMessage } from '../../../server/test/support/webhook.ts';
import { tellHoursAs } from './hours.ts';
import { type House, theHouse } from './house.ts';

/** A tenant in which each page has something to show. */
export interface Furnished extends TestTenant {
  house: House;
  acp: ControlPlane;
  customer_id: string;
  recipe_id: string;
  instance_id: string;
  endpoint_id: string;
  /** The number’s, for messages that come from the channel. */
  phone: Phone;
  /** A person has taken it over, and the customer waits. */
  taken_id: string;
  /** Its agent waits for an approval. */
  asking_id: string;
  approval_id: string;
}

interface Phone {
  phone_number_id: string;
  app_secret: string;
}

const HOUR_MS = 3_600_000;
const LONG =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft für Hafenlogistik';
const RIGHT_TO_LEFT = 'شركة الميناء للخدمات اللوجستية';

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const day = (hours: number) => inHours(hours).slice(0, 10);

const STAFF = [
  {
    name: 'Ana Silva',
    phone: '+61400000001',
    email: 'ana@harbour.example',
    skills: ['forklift', 'first aid'],
  },
  { name: 'Ben Okafor', role: 'contractor', skills: ['forklift'], tier: 2 },
  { name: 'Chen Li', skills: ['crane'], certs: [{ name: 'Crane ticket', expiry: day(24 * 9) }] },
  { name: `${RIGHT_TO_LEFT} ${LONG}`, role: 'contractor' },
];

let furnished: Promise<Furnished> | undefined;

/** One for each process: tests that change something make rows of their own. */
export function furnishedTenant(): Promise<Furnished> {
  furnished ??= theHouse().then(furnish);
  return furnished;
}

/** As the tenant's admin. */
export async function clientOf(house: House, { admin_email }: Pick<TestTenant, 'admin_email'>) {
  const { headers } = await house.login(admin_email);
  const accessToken = headers.authorization?.slice('Bearer '.length) ?? expect.unreachable();
  return new ControlPlane({ baseUrl: house.base_url, accessToken });
}

async function furnish(house: House): Promise<Furnished> {
  const tenant = await house.createTenant('Northwind Agency');
  const acp = await clientOf(house, tenant);
  const customer_id = await createCustomers(acp);
  const people = await addStaff(acp, customer_id);
  const recipe_id = await createRecipes(house, acp);
  const agent = await deploy(house, acp, { customer_id, recipe_id });
  await addHours(house, acp, agent.instance_id, customer_id, people);
  const talks = await talk(house, tenant, acp, agent);
  await acp.call('put_customer_budget', { path: { customer_id }, body: { monthly_cost: 40 } });
  await acp.apiKeys.create({ name: 'Deploy bot', scopes: ['recipes:*', 'instances:*'] });
  return { ...tenant, house, acp, customer_id, recipe_id, ...agent, ...talks };
}

async function createCustomers(acp: ControlPlane): Promise<string> {
  const { id } = await acp.customers.create({
    email: 'ops@harbour.example',
    company_name: 'Harbour Logistics',
    country_code: 'AU',
    currency: 'AUD',
    timezone: 'Australia/Sydney',
    locale: 'en-AU',
  });
  for (const company_name of ['Pier Nine Shipping', LONG, RIGHT_TO_LEFT])
    await acp.customers.create({ email: `${randomUUID()}@example.com`, company_name });
  await acp.call('create_website', { path: { customer_id: id }, body: { hostname: 'harbour.example' } });
  return id;
}

async function addStaff(acp: ControlPlane, customer_id: string): Promise<readonly string[]> {
  await acp.staff.importCustomerStaff(customer_id, { staff: STAFF });
  const { staff } = await acp.staff.listCustomerStaff(customer_id, {});
  const ids = STAFF.map(
    ({ name }) => staff.find((person) => person.name === name)?.id ?? expect.unreachable(),
  );
  for (const [nth, person_id] of ids.entries())
    await acp.call('create_shift', {
      path: { customer_id },
      body: {
        person_id,
        starts_at: inHours(nth * 24 - 20),
        ends_at: inHours(nth * 24 - 12),
        title: 'Night shift',
        site: 'Pier 9',
      },
    });
  return ids;
}

async function createRecipes(house: House, acp: ControlPlane): Promise<string> {
  const { id } = await acp.recipes.create({
    name: 'Crew desk',
    description: 'Answers a crew about staff, shifts and hours in their chat app',
    system_prompt: 'You are the crew assistant of a logistics company.\nAnswer briefly.',
    skills: ['staff_query', 'worker_shifts', 'timesheet'],
    channel_types: ['chatapp', 'playground'],
    connection_requirements: [{ provider: 'chatapp' }],
    mcp_servers: [{ name: 'crm', url: house.crm.url }],
    approval_rules: { require: [{ tool: 'crm__book', by: 'person', expires_minutes: 240 }] },
  });
  await acp.recipes.create({ name: `${LONG} desk` });
  return id;
}

async function deploy(
  house: House,
  acp: ControlPlane,
  { customer_id, recipe_id }: { customer_id: string; recipe_id: string },
): Promise<{
  instance_id: string;
  endpoint_id: string;
  phone: Phone;
}> {
  await acp.call('create_connection', {
    path: { customer_id },
    body: { provider: 'chatapp', name: 'main', credentials: { access_token: 'a-token' } },
  });
  await acp.call('create_connection', {
    path: { customer_id },
    body: {
      provider: 'google_drive',
      name: 'drive',
      credentials: { access_token: 'a-token' },
      expires_at: inHours(24 * 20),
    },
  });
  const [tier_id, region_id] = [randomUUID(), `region-${randomUUID().slice(0, 8)}`];
  await house.operations.put(`/internal/v1/tiers/${tier_id}`, { name: 'Small' });
  await house.operations.put(`/internal/v1/regions/${region_id}`, { name: 'Sydney' });
  const { instance_id } = await acp.deploy({
    customer_id,
    recipe_id,
    tier_id,
    region_id,
    hostname: 'crew.harbour.example',
  });
  await acp.instances.waitUntilRunning(instance_id, { timeoutMs: 120_000 });
  const phone = { phone_number_id: randomUUID(), app_secret: `secret-${randomUUID()}` };
  const { id: endpoint_id } = await acp.call('create_channel_endpoint', {
    body: { channel: 'chatapp', instance_id, verify_token: `token-${randomUUID()}`, ...phone },
  });
  return { instance_id, endpoint_id, phone };
}

const addHours = (
  house: House,
  acp: ControlPlane,
  instance_id: string,
  customer_id: string,
  [person_id = '']: readonly string[],
): Promise<void> =>
  tellHoursAs(
    { house, acp, customer_id, instance_id },
    { person_id, address: '61400000001', display_name: 'Ana Silva' },
    [{ date: day(-24), hours: 7.5, description: 'Unloading' }],
  );

async function talk(
  house: House,
  tenant: TestTenant,
  acp: ControlPlane,
  { instance_id, phone }: Awaited<ReturnType<typeof deploy>>,
): Promise<{ taken_id: string; asking_id: string; approval_id: string }> {
  const say = (sender: string, ...texts: string[]) =>
    sendMessages(house, phone, ...texts.map((text) => textMessage(`wamid.${randomUUID()}`, text, sender)));
  const answer = (conversation_id: string, text: string) =>
    house.operations.post(`/internal/v1/instances/${instance_id}/conversations/${conversation_id}/messages`, {
      text,
    });
  const conversationOf = async (sender: string) => {
    const found = async () => {
      const { items } = await acp.conversations.list({ instance_id });
      return items.find(({ external_id }) => external_id === sender);
    };
    await expect.poll(found).toBeDefined();
    return (await found())?.id ?? expect.unreachable();
  };
  await say('61400000001', 'Who can drive a forklift tonight?');
  const asking_id = await conversationOf('61400000001');
  await answer(asking_id, 'Ana Silva and Ben Okafor have the skill forklift.');
  await say('61400000009', 'I need to change my booking. '.repeat(20), 'Can somebody call me?');
  const taken_id = await conversationOf('61400000009');
  await acp.call('update_conversation', {
    path: { conversation_id: taken_id },
    body: { mode: 'human', minutes: 30 },
  });
  await say('61400000009', 'Hello?');
  const approval_id = await askForApproval(house, tenant, acp, instance_id, asking_id);
  return { taken_id, asking_id, approval_id };
}

async function askForApproval(
  house: House,
  tenant: TestTenant,
  acp: ControlPlane,
  instance_id: string,
  conversation_id: string,
): Promise<string> {
  const gateway = await connectToGateway(house, tenant, instance_id, {
    headers: { 'x-conversation-id': conversation_id },
  });
  await callTool(gateway, 'crm__book', { text: 'Forklift, pier 9, tonight\nfor 4 hours' });
  await gateway.close();
  const { items } = await acp.call('list_approvals', { query: {} });
  return items[0]?.id ?? expect.unreachable('nothing waits for an approval');
}
