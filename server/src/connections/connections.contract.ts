import Type from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { CustomerName } from '../customers/customer-names.contract.ts';
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
  Search,
  secret,
  Text,
  Timestamp,
  Uuid,
  within,
} from '../platform/contract/shapes.ts';

const tag = 'Connections';

const CONNECTION_STATUSES = ['active', 'expired', 'revoked'] as const;
export const EXPIRING_DAYS = 42;

export const Connection = NamedObject('Connection', {
  id: Uuid,
  tenant_id: Uuid,
  customer_id: Uuid,
  customer_name: CustomerName,
  provider: Type.String(),
  name: Nullable(Type.String()),
  status: about(Literals(CONNECTION_STATUSES), 'expired also while the channel refuses the credentials'),
  last_error: about(Nullable(Type.String()), 'Why the channel refused the credentials'),
  expires_at: Nullable(Timestamp),
  allowed_hosts: about(
    Type.Array(Type.String()),
    'The hosts of MCP servers that the gateway sends the credentials to',
  ),
  created_at: Timestamp,
});

const HOST = '^\\s*(?:\\[[0-9A-Fa-f:.]+\\]|[^\\[\\]:/?#@*\\\\\\s]+)(?::\\d{1,5})?\\s*$';
const Hosts = Type.Array(Type.String({ minLength: 1, maxLength: 300, pattern: HOST }), { maxItems: 100 });

export const ConnectionCreate = NamedObject('ConnectionCreate', {
  provider: about(
    Text(100, 1),
    'As a recipe’s connection_requirements name it: chatapp, google_drive, filesystem, …',
  ),
  name: about(Clearable(Text(200)), 'To tell several of one provider apart'),
  credentials: about(
    within(BOUNDS.connection.credentials_bytes, secret(OpenObject)),
    'chatapp: {"access_token"}; google_drive: {"client_id", "client_secret", "refresh_token"}; filesystem: {"root"}, a folder below DRIVE_FILESYSTEM_ROOT; of other providers, whatever the agent’s runtime wants',
  ),
  expires_at: about(Clearable(Timestamp), 'From then on it counts as expired'),
  allowed_hosts: about(
    Clearable(Hosts),
    'The hosts of MCP servers that the gateway may send the credentials to, as `mcp.example.com`, or with a port for that port alone; none by default',
  ),
});

export const ConnectionUpdate = NamedObject('ConnectionUpdate', {
  name: ConnectionCreate.properties.name,
  credentials: Type.Optional(ConnectionCreate.properties.credentials),
  expires_at: ConnectionCreate.properties.expires_at,
  allowed_hosts: ConnectionCreate.properties.allowed_hosts,
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
  mcp: {
    says: 'List a customer’s connections, without credentials and without revoked ones.',
    shows: ['id', 'provider', 'name', 'status', 'last_error', 'expires_at', 'created_at'],
  },
  params: CustomerParams,
  query: query({ ...PageQuery, search: Search('provider or name') }),
  responses: { 200: PageOf(Connection) },
});

export const listAllConnections = operation({
  id: 'list_all_connections',
  method: 'GET',
  path: '/v1/connections',
  tag,
  summary: 'List the connections of all customers',
  description: 'Newest first. Revoked ones are left out unless `status` asks for them.',
  credential: 'admin',
  scope: 'connections:read',
  query: query({
    ...PageQuery,
    status: Type.Optional(Literals(CONNECTION_STATUSES)),
    provider: Type.Optional(Text(100, 1)),
    expiring: about(
      Type.Optional(Type.Boolean()),
      `true: only active ones that expire within ${EXPIRING_DAYS} days`,
    ),
    customer_id: Type.Optional(Uuid),
  }),
  responses: { 200: PageOf(Connection) },
});

export const createConnection = operation({
  id: 'create_connection',
  method: 'POST',
  path: '/v1/customers/{customer_id}/connections',
  tag,
  summary: 'Add a connection',
  description:
    'The credentials are encrypted and never returned. 409 for the provider `filesystem` where DRIVE_FILESYSTEM_ROOT is `off`.',
  credential: 'admin',
  scope: 'connections:write',
  params: CustomerParams,
  body: ConnectionCreate,
  responses: { 201: Connection },
  failures: [409],
});

export const updateConnection = operation({
  id: 'update_connection',
  method: 'PATCH',
  path: '/v1/customers/{customer_id}/connections/{connection_id}',
  tag,
  summary: 'Change a connection’s name, credentials, end or hosts',
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
  description: 'Instances that use it lose it with their next refresh of secrets. It cannot be taken back.',
  credential: 'admin',
  scope: 'connections:delete',
  params: params({ customer_id: Uuid, connection_id: Uuid }),
  responses: { 204: null },
});
