import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, CustomerParams, InstanceParams, Int, query, Uuid } from '../platform/contract/shapes.ts';
import {
  CustomerStaffRecord,
  internal,
  introducedOnly,
  path,
  StaffRecord,
  senderInQuery,
} from './staff.contract.ts';

const Certifications = Type.Array(
  Type.Unsafe<Record<string, unknown> & { days_left: number }>({
    type: 'object',
    properties: { days_left: Type.Integer() },
    required: ['days_left'],
    additionalProperties: true,
  }),
);

const StaffWithExpiringCerts = NamedObject('StaffWithExpiringCerts', {
  ...StaffRecord.properties,
  expiring_certifications: Certifications,
});

const CustomerStaffWithExpiringCerts = NamedObject('CustomerStaffWithExpiringCerts', {
  ...CustomerStaffRecord.properties,
  expiring_certifications: Certifications,
});

const Within = {
  within_days: about(Int({ minimum: 1, maximum: 365, default: 42 }), 'Counted from today'),
};

const Window = {
  ...Within,
  page: about(Int({ minimum: 1, default: 1 }), 'Which page, from 1'),
  per_page: about(Int({ minimum: 1, maximum: 200, default: 200 }), 'People of a page'),
};

const rule =
  'Soonest first. A page of more than 4 MiB is refused. Days count in the customer’s time zone; who has left (`terminated`) is not listed.';

export const listExpiringCerts = operation({
  ...internal,
  ...senderInQuery,
  id: 'list_expiring_certs',
  method: 'GET',
  path: `${path}/expiring-certs`,
  summary: 'Staff whose certifications expire soon',
  description: `${rule} ${introducedOnly}`,
  params: InstanceParams,
  query: query({
    customer_id: Uuid,
    ...Within,
    page: Window.page,
    per_page: about(
      Type.Optional(Int({ minimum: 1, maximum: 200 })),
      'People of a page; all of them where nothing is said',
    ),
  }),
  responses: { 200: Type.Array(StaffWithExpiringCerts) },
});

export const listCustomerExpiringCerts = operation({
  id: 'list_customer_expiring_certs',
  method: 'GET',
  path: '/v1/customers/{customer_id}/staff/expiring-certs',
  tag: internal.tag,
  summary: 'A customer’s staff whose certifications expire soon',
  description: rule,
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerParams,
  query: query(Window),
  responses: { 200: Type.Array(CustomerStaffWithExpiringCerts) },
});

export const listTenantExpiringCerts = operation({
  id: 'list_tenant_expiring_certs',
  method: 'GET',
  path: '/v1/staff/expiring-certs',
  tag: internal.tag,
  summary: 'All customers’ staff whose certifications expire soon',
  description: rule,
  credential: 'admin',
  scope: 'staff:read',
  query: query(Window),
  responses: { 200: Type.Array(CustomerStaffWithExpiringCerts) },
});
