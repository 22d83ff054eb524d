import { operation } from '../platform/contract/operation.ts';
import { CustomerParams, query } from '../platform/contract/shapes.ts';
import {
  StaffFilters,
  StaffImportRequest,
  StaffImportResult,
  StaffPage,
  StaffPageQuery,
} from './staff.contract.ts';

const tag = 'Staff';

export const listCustomerStaff = operation({
  id: 'list_customer_staff',
  method: 'GET',
  path: '/v1/customers/{customer_id}/staff',
  tag,
  summary: 'List a customer’s staff',
  credential: 'admin_user',
  scope: 'staff:read',
  params: CustomerParams,
  query: query({ ...StaffFilters, ...StaffPageQuery }),
  responses: { 200: StaffPage },
});

export const importCustomerStaff = operation({
  id: 'import_customer_staff',
  method: 'POST',
  path: '/v1/customers/{customer_id}/staff/import',
  tag,
  summary: 'Add many staff records to a customer',
  description: 'Each item that is valid is created; the faults of the others are listed.',
  credential: 'admin_user',
  scope: 'staff:write',
  params: CustomerParams,
  body: StaffImportRequest,
  responses: { 200: StaffImportResult },
});
