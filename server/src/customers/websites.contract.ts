import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  CustomerParams,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { CustomerName } from './customer-names.contract.ts';

const tag = 'Websites';

export const MAX_LENGTH = 253;
/** domainToASCII takes quadratic time, so the input is limited first. */
export const MAX_TYPED_LENGTH = 4 * MAX_LENGTH;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const END = '\\.?(?::\\d{0,5})?$';
/** RFC 1123, section 2.1, at most 253 characters; the rules of RFC 5891 for other letters are checked by code. */
const ASCII_NAME = `(?=.{1,${MAX_LENGTH}}${END})${LABEL}(?:\\.${LABEL})*${END}`;
const OTHER_NAME = `(?=.*[^\\x00-\\x7f])(?:[A-Za-z0-9.-]|[^\\x00-\\x7f])+${END}`;
export const TYPED_HOSTNAME = `^(?:${ASCII_NAME}|${OTHER_NAME})`;

export const Website = NamedObject('Website', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  customer_name: CustomerName,
  hostname: Type.String({ description: 'Lower case, without port and trailing dot' }),
  created_at: Timestamp,
});

export const listWebsites = operation({
  id: 'list_websites',
  method: 'GET',
  path: '/v1/customers/{customer_id}/websites',
  tag,
  summary: 'List a customer’s websites',
  description: 'Newest first.',
  credential: 'admin',
  scope: 'customers:read',
  params: CustomerParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Website) },
});

export const createWebsite = operation({
  id: 'create_website',
  method: 'POST',
  path: '/v1/customers/{customer_id}/websites',
  tag,
  summary: 'Add a website',
  description: 'A hostname has one owner within the tenant.',
  credential: 'admin',
  scope: 'customers:write',
  params: CustomerParams,
  body: NamedObject('WebsiteCreate', {
    hostname: about(
      Type.String({ minLength: 1, maxLength: MAX_TYPED_LENGTH, pattern: TYPED_HOSTNAME }),
      'As people type it, in any case, with or without a port',
    ),
  }),
  responses: { 201: Website },
  failures: [409],
});

export const deleteWebsite = operation({
  id: 'delete_website',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/websites/{website_id}',
  tag,
  summary: 'Remove a website',
  description: 'Its hostname is free again, and agents do not find the customer by it any more.',
  credential: 'admin',
  scope: 'customers:delete',
  params: params({ customer_id: Uuid, website_id: Uuid }),
  responses: { 204: null },
});
