import { found } from '../platform/errors.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './tenants.contract.ts';
import { findTenant, listTenants, updateTenant } from './tenants.db.ts';
import { createTenant, type TenantServices } from './tenants.ts';

export const tenantRoutes = [
  route(contract.createTenant, async ({ system, body }, { keyring, hasher }: TenantServices) =>
    created(await createTenant({ db: { system }, keyring, hasher }, body)),
  ),

  route(contract.listTenants, async ({ system, query }) =>
    ok(await page(system, query, (...window) => listTenants(query.search, ...window))),
  ),

  route(contract.getTenant, async ({ system, params }) =>
    ok(found('Tenant', await system.run(findTenant(params.tenant_id)))),
  ),

  route(contract.updateTenant, async ({ system, params, body }) =>
    ok(found('Tenant', await system.run(updateTenant(params.tenant_id, body)))),
  ),
];
