import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { apiKey, RECIPE, RECIPES_PER_TENANT, recipeId, tenantId, WRITERS } from './data.ts';

/** Fastify without waiting: recipes in memory behind the service's routes. */
const readers = Number(process.env.READERS);
const unset = {
  onboarding_flow_id: null,
  rules_template_id: null,
  manifest_id: null,
  source_instance_id: null,
  compliance_config: null,
  module_config: null,
  voice_config: null,
  trigger_templates: null,
  sidecars: [],
  shared_node_capacity: 50,
  is_active: true,
  is_platform_template: false,
  revision: 1,
};

function recipe(id: string, tenant_id: string, minute: number) {
  const created_at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return { id, tenant_id, ...unset, ...RECIPE, created_at, updated_at: created_at };
}

const tenants = new Map<string, string>();
const lists = new Map<string, ReturnType<typeof recipe>[]>();
const recipes = new Map<string, ReturnType<typeof recipe>>();
for (let tenant = 1; tenant <= readers + WRITERS; tenant++) {
  const id = tenantId(tenant);
  tenants.set(apiKey(tenant), id);
  const count = tenant <= readers ? RECIPES_PER_TENANT : 0;
  const own = Array.from({ length: count }, (_, number) => recipe(recipeId(tenant, number), id, number));
  lists.set(id, own.toReversed());
  for (const one of own) recipes.set(one.id, one);
}

const app = Fastify();
app.decorateRequest('tenantId', '');
app.addHook('onRequest', async (request) => {
  const tenant = tenants.get(String(request.headers['x-api-key']));
  if (tenant === undefined) throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
  request.setDecorator('tenantId', tenant);
});
app.get('/v1/recipes', async (request) => lists.get(request.getDecorator('tenantId')));
app.get('/v1/recipes/:id', async (request, reply) => {
  const found = recipes.get((request.params as { id: string }).id);
  return found?.tenant_id === request.getDecorator('tenantId')
    ? found
    : reply.code(404).send({ detail: 'Not found' });
});
app.post('/v1/recipes', async (request, reply) => {
  const made = recipe(randomUUID(), request.getDecorator('tenantId'), 0);
  return reply.code(201).send({ ...made, ...(request.body as object) });
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
