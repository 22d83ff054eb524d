import { actorName } from '../access/actor-names.db.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import { type ChainPosition, moveLockedHeads } from '../secrets/chain-heads.db.ts';
import type { ChainBounds, ChainedFields, ChainedRow } from './chained-rows.db.ts';
import type { ToolCallDecision, ToolCallDenial } from './tool-calls.contract.ts';

export interface NewToolCall {
  at: Date;
  tool: string;
  scope: string | null;
  decision: ToolCallDecision;
  reason: ToolCallDenial | null;
  status: number | null;
  latency_ms: number;
  key_id: string | null;
  user_id: string | null;
  client_name: string | null;
  client_version: string | null;
  /** In hex. */
  arguments_fingerprint: string | null;
  request_id: string;
}

export interface ToolCallRow extends NewToolCall {
  seq: number;
  hash: string;
}

export interface ChainedToolCall extends NewToolCall {
  place: number;
  hash: string;
}

export const toolCallFields = (call: NewToolCall): ChainedFields => [
  call.at.toISOString(),
  call.tool,
  call.scope,
  call.decision,
  call.reason,
  call.status,
  call.latency_ms,
  call.key_id,
  call.user_id,
  call.client_name,
  call.client_version,
  call.arguments_fingerprint,
  call.request_id,
];

interface ToolCallFilter {
  tool: string | null;
  decision: ToolCallDecision | null;
  key_id: string | null;
  from: string | null;
  to: string | null;
}

const columns = fragment(
  `seq, at, tool, scope, decision, reason, status, latency_ms, key_id, user_id, client_name, client_version,
   encode(arguments_fingerprint, 'hex') as arguments_fingerprint, request_id, encode(hash, 'hex') as hash`,
);

const nameOfCaller = actorName(
  `case when key_id is null then 'user' else 'api_key' end`,
  'coalesce(tool_calls.key_id, tool_calls.user_id)',
);

export const listToolCalls = (
  { tool, decision, key_id, from, to }: ToolCallFilter,
  limit: number,
  offset: number,
) =>
  sql<ToolCallRow & { actor_name: string | null; total: number }>`
    select ${columns}, ${nameOfCaller} as actor_name, count(*) over () as total from tool_calls
    where (${tool}::text is null or tool = ${tool}) and (${decision}::text is null or decision = ${decision})
      and (${key_id}::uuid is null or key_id = ${key_id})
      and (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at < ${to})
    order by seq desc limit ${limit} offset ${offset}`.each(({ actor_name: name, ...call }) => {
    const { key_id, user_id } = call;
    const kind = key_id === null ? ('user' as const) : ('api_key' as const);
    return { ...call, actor: { kind, id: key_id ?? user_id, name } };
  });

/** In the order of the chain. */
export const listToolCallsAfter = (after: number, limit: number) =>
  sql<ToolCallRow>`
    select ${columns} from tool_calls where seq > ${after} order by seq limit ${limit}`.each(
    (row): ChainedRow => ({ place: row.seq, at: row.at, hash: row.hash, fields: toolCallFields(row) }),
  );

/** In one snapshot. */
export const findToolCallBounds = () =>
  sql<ChainBounds>`
    select (select min(seq) from tool_calls) as first, (select max(seq) from tool_calls) as last,
           (select sealed from chain_heads where chain = 'tool_calls') as sealed`.one();

export const findLastToolCall = () =>
  sql<ChainPosition>`select seq as count, hash from tool_calls order by seq desc limit 1`.first();

/** In the system scope. */
export const deleteToolCallsUpTo = (tenant_id: string, seq: number) =>
  sql`delete from tool_calls where tenant_id = ${tenant_id} and seq <= ${seq}`;

/** Applies where the tenant's sealed head is still `before`. */
export interface ChainPart {
  tenant_id: string;
  before: Buffer;
  calls: readonly ChainedToolCall[];
  after: Buffer;
}

/**
 * Skips chains that are locked or have moved: without waiting, no tenant delays another and deadlocks are impossible.
 * @returns the tenants whose calls were added
 */
export const appendToolCalls = (parts: readonly ChainPart[]) => {
  const heads = parts.map(({ tenant_id, before, after }) => ({
    tenant_id,
    before: before.toString('hex'),
    after: after.toString('hex'),
  }));
  const calls = parts.flatMap(({ tenant_id, calls }) => calls.map((call) => ({ tenant_id, ...call })));
  return sql<{ tenant_id: string }>`
    with held as materialized (
      select c.tenant_id, decode(e.after, 'hex') as sealed
      from jsonb_to_recordset(${json(heads)}::jsonb) as e (tenant_id uuid, before text, after text)
      join chain_heads c
        on c.tenant_id = e.tenant_id and c.chain = 'tool_calls' and c.sealed = decode(e.before, 'hex')
      for update of c skip locked
    ), moved as (
      ${moveLockedHeads('tool_calls')}
    ), added as (
      insert into tool_calls
        (tenant_id, seq, at, tool, scope, decision, reason, status, latency_ms, key_id, user_id, client_name,
         client_version, arguments_fingerprint, request_id, hash)
      select m.tenant_id, n.place, n.at, n.tool, n.scope, n.decision, n.reason, n.status, n.latency_ms, n.key_id,
             n.user_id, n.client_name, n.client_version, decode(n.arguments_fingerprint, 'hex'), n.request_id,
             decode(n.hash, 'hex')
      from moved m join jsonb_to_recordset(${json(calls)}::jsonb)
        as n (tenant_id uuid, place bigint, at timestamptz, tool text, scope text, decision text, reason text,
              status smallint, latency_ms integer, key_id uuid, user_id uuid, client_name text,
              client_version text, arguments_fingerprint text, request_id text, hash text)
        on n.tenant_id = m.tenant_id)
    select tenant_id from moved`.map((rows) => new Set(rows.map(({ tenant_id }) => tenant_id)));
};
