import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { ChainVerification, Moment } from './chain-verification.contract.ts';

const tag = 'Audit';

/** anonymous: used a one-time token instead of a credential. */
const ACTOR_KINDS = ['api_key', 'user', 'instance', 'operations', 'anonymous'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

const ActorKind = named('ActorKind', Literals(ACTOR_KINDS));

export const ActorName = Nullable(
  Type.String({
    description: 'A user’s e-mail address, a key’s name or an instance’s hostname; null once it is gone',
  }),
);

const Change = NamedObject('Change', {
  seq: Type.Integer({ description: 'Greater for a later change; not without gaps' }),
  at: Timestamp,
  actor: NamedObject('ChangeActor', {
    kind: ActorKind,
    id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Of the key, the user or the instance' })),
    name: ActorName,
  }),
  operation: Type.String({ description: 'The operationId' }),
  resource_id: Nullable(
    Type.Unsafe<string>({ ...Uuid, description: 'What was created, else the last id in the path' }),
  ),
  request_id: Type.String(),
  status: Type.Integer(),
});

export const listChanges = operation({
  id: 'list_changes',
  method: 'GET',
  path: '/v1/audit/changes',
  tag,
  summary: 'List the changes made over HTTP, newest first',
  description:
    'A row commits together with its change. Requests that were refused or changed nothing have none; those of the operator have one in the tenant that they changed.',
  credential: 'admin',
  scope: 'audit:read',
  query: query({
    ...PageQuery,
    operation: Type.Optional(Text(100)),
    actor_kind: Type.Optional(ActorKind),
    actor_id: Type.Optional(Uuid),
    resource_id: Type.Optional(Uuid),
    from: Type.Optional(Moment('From then on')),
    to: Type.Optional(Moment('Until then, and not then')),
  }),
  responses: { 200: PageOf(Change) },
});

export const verifyChanges = operation({
  id: 'verify_changes',
  method: 'GET',
  path: '/v1/audit/changes/verification',
  tag,
  summary: 'Whether a change’s row was changed, taken out or moved since it was chained',
  description:
    'As for tool calls. Rows are chained within a minute; those that are not yet are chained by this request.',
  credential: 'admin',
  scope: 'audit:read',
  responses: { 200: ChainVerification },
});
