import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { DemandRequest, Demands } from './demands.contract.ts';

const tag = 'Eligibility';

/** Limit of a customer. */
export const MOST_REQUIREMENTS = 200;

export const Requirement = NamedObject('Requirement', {
  key: Type.String(),
  customer_id: Uuid,
  customer_name: CustomerName,
  site: Nullable(Type.String()),
  job_id: Nullable(Type.String()),
  title: Nullable(Type.String()),
  demands: Type.Array(DemandRequest),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const RequirementPut = NamedObject('RequirementPut', {
  site: about(Clearable(Text(200, 1)), 'Counts for this place alone'),
  job_id: about(Clearable(Text(200, 1)), 'Counts for this job alone'),
  title: about(Clearable(Text(200, 1)), 'Counts for work of this title alone'),
  demands: about(Demands, 'All have to be met'),
});

const RequirementParams = params({
  customer_id: Uuid,
  key: about(Type.String({ pattern: '^[a-z0-9._-]{1,64}$' }), 'A name of your own for the requirement'),
});
const path = '/v1/customers/{customer_id}/requirements';
const ofCustomer = { tag, credential: 'admin' } as const;

export const listRequirements = operation({
  ...ofCustomer,
  id: 'list_requirements',
  method: 'GET',
  path,
  summary: 'List what a customer’s work demands',
  description: 'In the order of their keys.',
  scope: 'staff:read',
  params: CustomerParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Requirement) },
});

export const getRequirement = operation({
  ...ofCustomer,
  id: 'get_requirement',
  method: 'GET',
  path: `${path}/{key}`,
  summary: 'A requirement',
  description: 'With its demands.',
  scope: 'staff:read',
  params: RequirementParams,
  responses: { 200: Requirement },
});

export const putRequirement = operation({
  ...ofCustomer,
  id: 'put_requirement',
  method: 'PUT',
  path: `${path}/{key}`,
  summary: 'Make or replace a requirement',
  description: `It counts where each of site, job_id and title that it gives equals what is asked, without case; one that gives none counts everywhere. At most ${MOST_REQUIREMENTS} of a customer.`,
  scope: 'staff:write',
  params: RequirementParams,
  body: RequirementPut,
  responses: { 200: Requirement },
  failures: [409],
});

export const deleteRequirement = operation({
  ...ofCustomer,
  id: 'delete_requirement',
  method: 'DELETE',
  path: `${path}/{key}`,
  summary: 'Remove a requirement',
  description: 'It demands nothing any more from then on.',
  scope: 'staff:delete',
  params: RequirementParams,
  responses: { 204: null },
});
