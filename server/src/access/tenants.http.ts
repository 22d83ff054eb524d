import { created, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './tenants.contract.ts';
import { createTenant, listTenants } from './tenants.ts';

export const tenantRoutes = [
  route(contract.createTenant, async ({ body }, services: Services) =>
    created(await createTenant(services, body)),
  ),

  route(contract.listTenants, async ({ query }, services: Services) => {
    const found = await pageOf(query, (...window) => listTenants(services.db.system, ...window));
    return ok({ ...found, items: found.items.map((tenant) => ({ ...tenant, tenant_id: tenant.id })) });
  }),
];
