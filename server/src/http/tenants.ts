import * as contract from '../contract/tenants.ts';
import { createTenant, listTenants } from '../domain/tenants.ts';
import { created, ok, route } from './handler.ts';
import { page } from './page.ts';

export const tenantRoutes = [
  route(contract.createTenant, async ({ services, body }) => created(await createTenant(services, body))),

  route(contract.listTenants, async ({ services, query }) => {
    const found = await page(query, (...window) => listTenants(services.db.system, ...window));
    return ok({ ...found, items: found.items.map((tenant) => ({ ...tenant, tenant_id: tenant.id })) });
  }),
];
