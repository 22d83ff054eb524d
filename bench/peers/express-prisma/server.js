import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import pino from 'pino';
import { pinoHttp } from 'pino-http';
import { apiKeys } from '../api-keys.js';
import { requestLog, standardOutput } from '../request-log.js';
import prismaClient from './generated/index.js';

const prisma = new prismaClient.PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }),
  omit: { recipes: { deleted_at: true } },
});

/** One query in a transaction of its own, in a role and a tenant (Prisma's own pattern for row-level security). */
async function within(role, tenant, query) {
  const [, result] = await prisma.$transaction([
    prisma.$executeRaw`select set_config('role', ${role}, true), set_config('app.tenant_id', ${tenant}, true)`,
    query,
  ]);
  return result;
}

const tenantOf = apiKeys(
  async (key_hash) => {
    const query = prisma.api_keys.findFirst({ where: { key_hash, revoked_at: null } });
    return (await within('acp_system', '', query))?.tenant_id;
  },
  (key) => createHash('sha256').update(key).digest(),
);

const app = express();
app.disable('x-powered-by');
app.use(pinoHttp(requestLog, pino.destination(standardOutput)));
app.use(express.json());
app.use(async (request, response, next) => {
  request.tenant = await tenantOf(request.get('x-api-key') ?? '');
  if (request.tenant) next();
  else response.status(401).json({ detail: 'Unauthorized' });
});
app.get('/v1/recipes', async (request, response) => {
  const orderBy = [{ is_platform_template: 'asc' }, { created_at: 'desc' }, { id: 'asc' }];
  const query = prisma.recipes.findMany({ where: { deleted_at: null }, orderBy });
  response.json(await within('acp_tenant', request.tenant, query));
});
app.get('/v1/recipes/:id', async (request, response) => {
  const query = prisma.recipes.findFirst({ where: { id: request.params.id, deleted_at: null } });
  const recipe = await within('acp_tenant', request.tenant, query);
  if (recipe) response.json(recipe);
  else response.status(404).json({ detail: 'Not found' });
});
app.post('/v1/recipes', async (request, response) => {
  const query = prisma.recipes.create({ data: { ...request.body, tenant_id: request.tenant } });
  response.status(201).json(await within('acp_tenant', request.tenant, query));
});
app.listen(Number(process.env.PORT), '127.0.0.1');
