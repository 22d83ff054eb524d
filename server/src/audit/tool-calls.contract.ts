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
import { ActorName } from './changes.contract.ts';

const tag = 'Audit';

/** asked: a person has to confirm first, in a call of its own. */
const DECISIONS = ['allowed', 'denied', 'asked'] as const;
export type ToolCallDecision = (typeof DECISIONS)[number];

/** declined: the person refused. */
const DENIALS = ['scope', 'role', 'read_only', 'unknown_tool', 'declined'] as const;
export type ToolCallDenial = (typeof DENIALS)[number];

const Decision = named('ToolCallDecision', Literals(DECISIONS));

const ToolCall = NamedObject('ToolCall', {
  seq: Type.Integer({ description: 'Counts the tenant’s calls from 1, without a gap' }),
  at: Timestamp,
  tool: Type.String(),
  scope: Nullable(Type.String()),
  decision: Decision,
  reason: Nullable(named('ToolCallDenial', Literals(DENIALS))),
  status: Nullable(
    Type.Integer({ description: 'As the same request over HTTP is answered; null while a person is asked' }),
  ),
  latency_ms: Type.Integer(),
  actor: NamedObject('ToolCallActor', {
    kind: Literals(['api_key', 'user']),
    id: Nullable(Uuid),
    name: ActorName,
  }),
  key_id: Nullable(Uuid),
  user_id: Nullable(Uuid),
  client_name: Nullable(Type.String({ description: 'As the client says of itself' })),
  client_version: Nullable(Type.String()),
  arguments_fingerprint: Nullable(
    Type.String({ description: 'A keyed hash in hex: the same for the same arguments of the same tool' }),
  ),
  request_id: Type.String(),
  hash: Type.String({ description: 'A keyed hash in hex, over this row and the hash of the one before' }),
});

export const listToolCalls = operation({
  id: 'list_tool_calls',
  method: 'GET',
  path: '/v1/audit/tool-calls',
  tag,
  summary: 'List the calls of tools over MCP, newest first',
  description: 'Arguments, answers and the words of errors are not kept.',
  credential: 'admin',
  scope: 'audit:read',
  query: query({
    ...PageQuery,
    tool: Type.Optional(Text(100)),
    decision: Type.Optional(Decision),
    key_id: Type.Optional(Uuid),
    from: Type.Optional(Moment('From then on')),
    to: Type.Optional(Moment('Until then, and not then')),
  }),
  responses: { 200: PageOf(ToolCall) },
});

export const verifyToolCalls = operation({
  id: 'verify_tool_calls',
  method: 'GET',
  path: '/v1/audit/tool-calls/verification',
  tag,
  summary: 'Whether a call was changed, taken out or moved since it was written',
  description:
    'Every row is held against the hash chain and its sealed head, so that rows missing at its end are seen, too. Whoever keeps `checked` and `last_hash` of an earlier answer can also tell that the whole chain was not put back to an older state.',
  credential: 'admin',
  scope: 'audit:read',
  responses: { 200: ChainVerification },
});
