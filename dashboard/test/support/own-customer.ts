import { randomUUID } from 'node:crypto';
import { Visitor } from './browser.ts';
import { furnishedTenant } from './furnished.ts';

/** A customer of this test's own. */
export async function ownCustomer() {
  const { house, acp, ...tenant } = await furnishedTenant();
  const { id: customer_id } = await acp.customers.create({
    email: `${randomUUID()}@example.com`,
    company_name: 'Quay Six',
    timezone: 'Australia/Sydney',
  });
  const visitor = await Visitor.of(house, tenant);
  return {
    acp,
    customer_id,
    visitor,
    open: (path: string) => visitor.open(`/customers/${customer_id}/${path}`),
  };
}
