import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import type { ToolCallDecision, ToolCallDenial } from './tool-calls.contract.ts';

/** A call before it has its place in the chain. */
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
  /** Hex, as the hash. */
  arguments_fingerprint: string | null;
  request_id: string;
}

export interface ToolCallRow extends NewToolCall {
  seq: number;
  hash: string;
}

/** A place in a tenant's chain: how many calls lead to it, and the hash of the last. */
export interface ChainPosition {
  count: number;
  hash: Buffer;
}

/** Where a tenant's chain ends. */
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
  q: Queryable,
  { tool, decision, key_id, from, to }: ToolCallFilter,
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<ToolCallRow & { total: number }>`
      select ${columns}, count(*) over () as total from tool_calls
      where (${tool}::text is null or tool = ${tool}) and (${decision}::text is null or decision = ${decision})
        and (${key_id}::uuid is null or key_id = ${key_id})
        and (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at < ${to})
      order by seq desc limit ${limit} offset ${offset}`,
  );

/** What follows the call number `after`, in the order of the chain. */
export const listToolCallsAfter = (q: Queryable, after: number, limit: number) =>
  q.rows(
    sql<ToolCallRow>`select ${columns} from tool_calls where seq > ${after} order by seq limit ${limit}`,
  );

/** The end, and the greatest number that a row has: the same of one moment. */
export async function findChainEnd(
  q: Queryable,
): Promise<{ end: ChainEnd | undefined; last_seq: number | null }> {
  const [row] = await q.rows(
    sql<{ last_seq: number | null } & { [K in keyof ChainEnd]: ChainEnd[K] | null }>`
      select (select max(seq) from tool_calls) as last_seq, c.count, c.hash, c.seal
      from (values (1)) as one left join tool_call_chains c on true`,
  );
  const { last_seq = null, count = null, hash = null, seal = null } = row ?? {};
  const end = count !== null && hash !== null && seal !== null ? { count, hash, seal } : undefined;
  return { end, last_seq };
}

/**
 * Holds the tenant's chain for the rest of the transaction. One that has no end gets one: the beginning, or behind the
 * last row where somebody has taken the end away, with a seal that does not fit there.
 */
export async function holdChainEnd(q: Queryable, { count, hash, seal }: ChainEnd): Promise<ChainEnd> {
  const [, [end]] = await Promise.all([
    q.rows(
      sql`insert into tool_call_chains (tenant_id, count, hash, seal)
          select current_tenant(), coalesce(last.seq, ${count}), coalesce(last.hash, ${hash}), ${seal}
          from (values (1)) as one
          left join (select seq, hash from tool_calls order by seq desc limit 1) as last on true
          on conflict do nothing`,
    ),
    q.rows(sql<ChainEnd>`select count, hash, seal from tool_call_chains for update`),
  ]);
  return end as ChainEnd;
}

/** Calls of one tenant that come behind the end `before`, which becomes `after`. */
export interface ChainPart {
  tenant_id: string;
  before: ChainPosition;
  calls: readonly ToolCallRow[];
  after: ChainEnd;
}

/**
 * Adds calls behind the ends of several tenants' chains, in one statement. It waits for nobody: a chain that somebody
 * else holds is being moved, so what is one too late anyway neither holds up the others nor can be part of a deadlock.
 * @returns the tenants whose chain ended where it was said to; for the others nothing was done
 */
export async function appendToolCalls(
  q: Queryable,
  parts: readonly ChainPart[],
): Promise<ReadonlySet<string>> {
  const ends = parts.map(({ tenant_id, before, after }) => ({
    tenant_id,
    before_count: before.count,
    before_hash: before.hash.toString('hex'),
    count: after.count,
    hash: after.hash.toString('hex'),
    seal: after.seal.toString('hex'),
  }));
  const calls = parts.flatMap(({ tenant_id, calls }) => calls.map((call) => ({ tenant_id, ...call })));
  const rows = await q.rows(
    sql<{ tenant_id: string }>`
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
      select tenant_id from moved`,
  );
  return new Set(rows.map(({ tenant_id }) => tenant_id));
}
