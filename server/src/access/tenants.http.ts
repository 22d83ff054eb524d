import { created, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './tenants.contract.ts';
import { listTenants } from './tenants.db.ts';
import { createTenant, type TenantServices } from './tenants.ts';

export const tenantRoutes = [
  route(contract.createTenant, async ({ system, body }, { keyring, hasher }: TenantServices) =>
    created(await createTenant({ db: { system }, keyring, hasher }, body)),
  ),

  route(contract.listTenants, async ({ system, query }) => ok(await page(system, query, listTenants))),
];
