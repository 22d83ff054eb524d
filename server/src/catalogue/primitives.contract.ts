import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  Clearable,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Search,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

/** Contract, section 4. */
const PRIMITIVE_KINDS = [
  'skill',
  'channel',
  'integration',
  'mcp_server',
  'workflow',
  'model',
  'sidecar_runtime',
] as const;
export type PrimitiveKind = (typeof PRIMITIVE_KINDS)[number];

export const PrimitiveKind = named('PrimitiveKind', Literals(PRIMITIVE_KINDS));

const tag = 'Primitives';

export const Primitive = NamedObject('Primitive', {
  id: Uuid,
  tenant_id: Uuid,
  kind: PrimitiveKind,
  slug: Type.String(),
  display_name: Nullable(Type.String()),
  created_at: Timestamp,
});

export const PrimitiveCreate = NamedObject('PrimitiveCreate', {
  kind: PrimitiveKind,
  slug: Text(200, 1),
  display_name: Clearable(Text(200)),
});

export const listPrimitives = operation({
  id: 'list_primitives',
  method: 'GET',
  path: '/v1/primitives',
  tag,
  summary: 'List what the tenant approves',
  description: 'A recipe may use only what is approved here. A kind without an entry approves nothing.',
  credential: 'tenant',
  scope: 'primitives:read',
  mcp: {
    says: 'List the approved skills, channels, integrations, models and so on.',
    shows: ['id', 'kind', 'slug', 'display_name'],
  },
  query: query({
    ...PageQuery,
    search: Search('slug or display name'),
    kind: Type.Optional(PrimitiveKind),
  }),
  responses: { 200: PageOf(Primitive) },
});

export const createPrimitive = operation({
  id: 'create_primitive',
  method: 'POST',
  path: '/v1/primitives',
  tag,
  summary: 'Approve a skill, channel, integration, MCP server, workflow, model or sidecar runtime',
  description: 'Recipes may use it from then on. 409 where the kind and slug are approved already.',
  credential: 'admin',
  scope: 'primitives:write',
  body: PrimitiveCreate,
  responses: { 201: Primitive },
  failures: [409],
});

export const deletePrimitive = operation({
  id: 'delete_primitive',
  method: 'DELETE',
  path: '/v1/primitives/{primitive_id}',
  tag,
  summary: 'Withdraw an approval',
  description: 'Recipes that use it become violations at the next check. Running instances go on.',
  credential: 'admin',
  scope: 'primitives:delete',
  params: params({ primitive_id: Uuid }),
  responses: { 204: null },
});
