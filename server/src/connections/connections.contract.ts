import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  Literals,
  Nullable,
  OpenObject,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Connections';

export const Connection = NamedObject('Connection', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  provider: Type.String(),
  name: Nullable(Type.String()),
  status: Literals(['active', 'expired']),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
});

export const ConnectionCreate = NamedObject('ConnectionCreate', {
  provider: about(
    Text(100, 1),
    'As a recipe’s connection_requirements name it: chatapp, google_drive, filesystem, …',
  ),
  name: about(Clearable(Text(200)), 'To tell several of one provider apart'),
  credentials: about(
    OpenObject,
    'chatapp: {"access_token"}; google_drive: {"client_id", "client_secret", "refresh_token"}; filesystem: {"root"}, a folder below DRIVE_FILESYSTEM_ROOT; of other providers, whatever the agent’s runtime wants',
  ),
  expires_at: about(Clearable(Timestamp), 'From then on it counts as expired'),
});

export const ConnectionUpdate = NamedObject('ConnectionUpdate', {
  name: ConnectionCreate.properties.name,
  credentials: Type.Optional(ConnectionCreate.properties.credentials),
  expires_at: ConnectionCreate.properties.expires_at,
});

export const listConnections = operation({
  id: 'list_connections',
  method: 'GET',
  path: '/v1/customers/{customer_id}/connections',
  tag,
  summary: 'List a customer’s connections',
  description: 'Revoked ones are left out.',
  credential: 'admin',
  scope: 'connections:read',
  mcp: {},
  params: CustomerParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Connection) },
});

export const createConnection = operation({
  id: 'create_connection',
  method: 'POST',
  path: '/v1/customers/{customer_id}/connections',
  tag,
  summary: 'Add a connection',
  description: 'The credentials are encrypted and never returned.',
  credential: 'admin',
  scope: 'connections:write',
  params: CustomerParams,
  body: ConnectionCreate,
  responses: { 201: Connection },
});

export const updateConnection = operation({
  id: 'update_connection',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/connections/{connection_id}',
  tag,
  summary: 'Change a connection’s name, credentials or end',
  description: 'Runtimes get changed credentials with their next secret refresh.',
  credential: 'admin',
  scope: 'connections:write',
  params: params({ customer_id: Uuid, connection_id: Uuid }),
  body: ConnectionUpdate,
  responses: { 200: Connection },
});

export const deleteConnection = operation({
  id: 'delete_connection',
  method: 'DELETE',
  path: '/v1/customers/{customer_id}/connections/{connection_id}',
  tag,
  summary: 'Revoke a connection and forget its credentials',
  credential: 'admin',
  scope: 'connections:delete',
  params: params({ customer_id: Uuid, connection_id: Uuid }),
  responses: { 204: null },
});
