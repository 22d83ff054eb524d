import type { ToolCallDecision, ToolCallDenial } from '../contract/tool-calls.ts';
import type { Queryable } from './database.ts';
import { fragment, json, sql } from './sql.ts';

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

/** Where a tenant's chain ends. */
export interface ChainEnd {
  count: number;
  hash: Buffer;
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

/** Holds the chain for the rest of the transaction. */
export async function lockChainEnd(q: Queryable): Promise<ChainEnd | undefined> {
  const [row] = await q.rows(sql<ChainEnd>`select count, hash, seal from tool_call_chains for update`);
  return row;
}

/**
 * Adds calls behind the end `before`, which becomes `after`, in one statement.
 * @returns false when the chain does not end there (any more); then nothing was done
 */
export async function appendToolCalls(
  q: Queryable,
  calls: readonly ToolCallRow[],
  before: Pick<ChainEnd, 'count' | 'hash'>,
  after: ChainEnd,
): Promise<boolean> {
  const rows = await q.rows(
    sql<{ seq: number }>`
      with moved as (
        insert into tool_call_chains as c (tenant_id, count, hash, seal)
        values (current_tenant(), ${after.count}, ${after.hash}, ${after.seal})
        on conflict (tenant_id) do update set count = excluded.count, hash = excluded.hash, seal = excluded.seal
          where c.count = ${before.count} and c.hash = ${before.hash}
        returning tenant_id)
      insert into tool_calls
        (tenant_id, seq, at, tool, scope, decision, reason, status, latency_ms, key_id, user_id, client_name,
         client_version, arguments_fingerprint, request_id, hash)
      select m.tenant_id, n.seq, n.at, n.tool, n.scope, n.decision, n.reason, n.status, n.latency_ms, n.key_id,
             n.user_id, n.client_name, n.client_version, decode(n.arguments_fingerprint, 'hex'), n.request_id,
             decode(n.hash, 'hex')
      from moved m, jsonb_to_recordset(${json(calls)}::jsonb)
        as n (seq bigint, at timestamptz, tool text, scope text, decision text, reason text, status smallint,
              latency_ms integer, key_id uuid, user_id uuid, client_name text, client_version text,
              arguments_fingerprint text, request_id text, hash text)
      returning seq`,
  );
  return rows.length === calls.length;
}
