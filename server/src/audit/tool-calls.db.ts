import { fragment, json, sql } from '../platform/db/sql.ts';
import type { ToolCallDecision, ToolCallDenial } from './tool-calls.contract.ts';

/** A call that has no place in the chain yet. */
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
  /** In hex, as the hash. */
  arguments_fingerprint: string | null;
  request_id: string;
}

export interface ToolCallRow extends NewToolCall {
  seq: number;
  hash: string;
}

/** A position in a tenant's chain: the number of calls up to it, and the hash of the last one. */
export interface ChainPosition {
  count: number;
  hash: Buffer;
}

/** The end of a tenant's chain, sealed. */
export interface ChainEnd extends ChainPosition {
  seal: Buffer;
}

export interface ToolCallFilter {
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

export const listToolCalls = (
  { tool, decision, key_id, from, to }: ToolCallFilter,
  limit: number,
  offset: number,
) =>
  sql<ToolCallRow & { total: number }>`
    select ${columns}, count(*) over () as total from tool_calls
    where (${tool}::text is null or tool = ${tool}) and (${decision}::text is null or decision = ${decision})
      and (${key_id}::uuid is null or key_id = ${key_id})
      and (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at < ${to})
    order by seq desc limit ${limit} offset ${offset}`;

/** The calls behind the call number `after`, in the order of the chain. */
export const listToolCallsAfter = (after: number, limit: number) =>
  sql<ToolCallRow>`select ${columns} from tool_calls where seq > ${after} order by seq limit ${limit}`;

/** The chain's end and the greatest number of a row, in one snapshot. */
export const findChainEnd = () =>
  sql<{ last_seq: number | null } & { [K in keyof ChainEnd]: ChainEnd[K] | null }>`
    select (select max(seq) from tool_calls) as last_seq, c.count, c.hash, c.seal
    from (values (1)) as one left join tool_call_chains c on true`
    .one()
    .map(({ last_seq, count, hash, seal }) => ({
      last_seq,
      end: count !== null && hash !== null && seal !== null ? { count, hash, seal } : undefined,
    }));

/**
 * Gives a chain without an end one: the beginning, or behind its last row where the end was deleted from outside. The
 * seal does not fit there, so verification reports it.
 */
export const insertChainEnd = ({ count, hash, seal }: ChainEnd) =>
  sql`insert into tool_call_chains (tenant_id, count, hash, seal)
      select current_tenant(), coalesce(last.seq, ${count}), coalesce(last.hash, ${hash}), ${seal}
      from (values (1)) as one
      left join (select seq, hash from tool_calls order by seq desc limit 1) as last on true
      on conflict do nothing`;

/** Locks the tenant's chain for the rest of the transaction. */
export const lockChainEnd = () =>
  sql<ChainEnd>`select count, hash, seal from tool_call_chains for update`.one();

/** Calls of one tenant to be added behind the end `before`, which becomes `after`. */
export interface ChainPart {
  tenant_id: string;
  before: ChainPosition;
  calls: readonly ToolCallRow[];
  after: ChainEnd;
}

/**
 * Adds calls to several tenants' chains in one statement. It skips a chain that is locked or has moved: it never waits
 * for a lock, so one tenant cannot delay the others and no deadlock is possible.
 * @returns the tenants whose calls were added; nothing was done for the others
 */
export const appendToolCalls = (parts: readonly ChainPart[]) => {
  const ends = parts.map(({ tenant_id, before, after }) => ({
    tenant_id,
    before_count: before.count,
    before_hash: before.hash.toString('hex'),
    count: after.count,
    hash: after.hash.toString('hex'),
    seal: after.seal.toString('hex'),
  }));
  const calls = parts.flatMap(({ tenant_id, calls }) => calls.map((call) => ({ tenant_id, ...call })));
  return sql<{ tenant_id: string }>`
    with held as materialized (
      select e.tenant_id, e.count, decode(e.hash, 'hex') as hash, decode(e.seal, 'hex') as seal
      from jsonb_to_recordset(${json(ends)}::jsonb)
        as e (tenant_id uuid, before_count bigint, before_hash text, count bigint, hash text, seal text)
      join tool_call_chains c
        on c.tenant_id = e.tenant_id and c.count = e.before_count and c.hash = decode(e.before_hash, 'hex')
      for update of c skip locked
    ), moved as (
      update tool_call_chains c set count = h.count, hash = h.hash, seal = h.seal
      from held h where c.tenant_id = h.tenant_id
      returning c.tenant_id
    ), added as (
      insert into tool_calls
        (tenant_id, seq, at, tool, scope, decision, reason, status, latency_ms, key_id, user_id, client_name,
         client_version, arguments_fingerprint, request_id, hash)
      select m.tenant_id, n.seq, n.at, n.tool, n.scope, n.decision, n.reason, n.status, n.latency_ms, n.key_id,
             n.user_id, n.client_name, n.client_version, decode(n.arguments_fingerprint, 'hex'), n.request_id,
             decode(n.hash, 'hex')
      from moved m join jsonb_to_recordset(${json(calls)}::jsonb)
        as n (tenant_id uuid, seq bigint, at timestamptz, tool text, scope text, decision text, reason text,
              status smallint, latency_ms integer, key_id uuid, user_id uuid, client_name text,
              client_version text, arguments_fingerprint text, request_id text, hash text)
        on n.tenant_id = m.tenant_id)
    select tenant_id from moved`.map((rows) => new Set(rows.map(({ tenant_id }) => tenant_id)));
};
