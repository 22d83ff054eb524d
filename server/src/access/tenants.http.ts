import { found } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './tenants.contract.ts';
import { findTenant, listTenants, updateTenant } from './tenants.db.ts';
import { createTenant, type TenantServices } from './tenants.ts';

export const tenantRoutes = [
  route(contract.createTenant, async ({ body }, services: TenantServices) =>
    created(await createTenant(services, body)),
  ),

  route(contract.listTenants, async ({ query }, { db }: TenantServices) =>
    ok(await page(db.system, query, listTenants)),
  ),

  route(contract.getTenant, async ({ params }, { db }: TenantServices) =>
    ok(found('Tenant', await db.system.run(findTenant(params.tenant_id)))),
  ),

  route(contract.updateTenant, async ({ params, body }, { db }: TenantServices) =>
    ok(found('Tenant', await db.system.run(updateTenant(params.tenant_id, body)))),
  ),
];
