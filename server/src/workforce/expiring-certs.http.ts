import { readsCustomers } from '../customers/customer-names.ts';
import { customerExists } from '../customers/customers.db.ts';
import { customerIsServed } from '../customers/served-customers.db.ts';
import { ok, route } from '../platform/http/handler.ts';
import * as contract from './expiring-certs.contract.ts';
import { listStaffWithExpiries } from './expiring-certs.db.ts';
import { withExpiringCerts } from './expiring-certs.ts';

const windowOf = ({ page, per_page }: { page: number; per_page: number }) => ({
  limit: per_page,
  offset: (page - 1) * per_page,
});

export const expiringCertRoutes = [
  route(contract.listExpiringCerts, async ({ q, params, query }) => {
    const { customer_id, within_days, page, per_page } = query;
    const window = per_page === undefined ? { limit: null, offset: 0 } : windowOf({ page, per_page });
    const wanted = { customer_id, within_days, isNamed: false, ...window };
    const { rows } = await q.run({
      customer: customerIsServed(params.instance_id, customer_id),
      rows: listStaffWithExpiries(wanted),
    });
    const unnamed = rows.map(({ customer_name: _, ...row }) => row);
    return ok(withExpiringCerts(unnamed, within_days, q.now));
  }),

  route(contract.listCustomerExpiringCerts, async ({ q, actor, params: { customer_id }, query }) => {
    const { within_days } = query;
    const wanted = { customer_id, within_days, isNamed: readsCustomers(actor), ...windowOf(query) };
    const { rows } = await q.run({
      customer: customerExists(customer_id),
      rows: listStaffWithExpiries(wanted),
    });
    return ok(withExpiringCerts(rows, within_days, q.now));
  }),

  route(contract.listTenantExpiringCerts, async ({ q, actor, query }) => {
    const { within_days } = query;
    const wanted = { customer_id: null, within_days, isNamed: readsCustomers(actor), ...windowOf(query) };
    return ok(withExpiringCerts(await q.run(listStaffWithExpiries(wanted)), within_days, q.now));
  }),
];
