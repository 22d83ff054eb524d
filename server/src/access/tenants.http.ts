import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './tenants.contract.ts';
import { listTenants } from './tenants.db.ts';
import { createTenant, type TenantServices } from './tenants.ts';

export const tenantRoutes = [
  route(contract.createTenant, async ({ body }, services: TenantServices) =>
    created(await createTenant(services, body)),
  ),

  route(contract.listTenants, async ({ query }, { db }: TenantServices) =>
    ok(await page(db.system, query, listTenants)),
  ),
];
