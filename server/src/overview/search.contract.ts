import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Literals, Nullable, query, Several, Text, Uuid } from '../platform/contract/shapes.ts';

/** In the order of an answer. */
export const FOUND_KINDS = ['customer', 'person', 'instance', 'recipe', 'conversation'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const FoundItem = NamedObject('FoundItem', {
  kind: about(Literals(FOUND_KINDS), '`person`: of a customer’s staff'),
  id: about(Uuid, 'The id of what was found'),
  name: about(Type.String(), 'A company, a person, a hostname, a recipe, or a sender’s name or address'),
  detail: about(Nullable(Type.String()), 'An address, a status or a description'),
  customer_id: Type.Optional(Nullable(Uuid)),
});

export const searchTenant = operation({
  id: 'search_tenant',
  method: 'GET',
  path: '/v1/search',
  tag: 'Overview',
  summary: 'Find customers, people, instances, recipes and conversations by a part of their name or address',
  description:
    'At most five of each kind that the caller may read, without case; those whose name begins with the words come first. ' +
    'What is said in conversations is not searched.',
  credential: 'tenant',
  scope: null,
  query: query({
    q: about(Text(100, 2), 'A part of a name, hostname, e-mail address or channel address'),
    kinds: about(
      Type.Optional(Several(FOUND_KINDS)),
      'One or several kinds, with commas between them; by default all',
    ),
  }),
  responses: { 200: NamedObject('FoundItems', { items: Type.Array(FoundItem) }) },
});
