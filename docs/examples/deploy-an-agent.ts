import { readFileSync } from 'node:fs';
import { ControlPlane } from '@agent-control-plane/sdk';

const { base_url, api_key } = JSON.parse(readFileSync(process.argv[2] ?? 'data/credentials.json', 'utf8'));
const acp = new ControlPlane({ baseUrl: base_url, apiKey: api_key });

const customer = await acp.customers.create({
  email: `ops-${Date.now()}@example.com`,
  company_name: 'Harbour Logistics',
});
const recipe = await acp.recipes.create({
  name: 'Front desk',
  system_prompt: 'You answer the crew of a logistics company, briefly.',
  skills: ['staff_query', 'worker_shifts'],
  channel_types: ['chatapp'],
  connection_requirements: [{ provider: 'chatapp' }],
});
await acp.connections.create(customer.id, {
  provider: 'chatapp',
  credentials: { access_token: 'the token of your business account' },
});

const plan = { customer_id: customer.id, recipe_id: recipe.id, hostname: 'front.example.com' };
const { ready, plan_hash, violations } = await acp.deployment.checkDeploy(plan);
console.log(`ready: ${ready}, violations: ${violations.length}`);

const [tier] = (await acp.tiers.list()).items;
const [region] = (await acp.regions.list()).items;
if (!tier || !region) throw new Error('The operator has not made a tier and a region yet');

const { instance_id } = await acp.deploy({ ...plan, plan_hash, tier_id: tier.id, region_id: region.id });
const instance = await acp.instances.waitUntilRunning(instance_id, {
  onEvent: ({ to, step, message }) => console.log([to, step, message].filter(Boolean).join('  ')),
});
console.log(`${instance.hostname} is ${instance.status}: instance ${instance.id}`);
