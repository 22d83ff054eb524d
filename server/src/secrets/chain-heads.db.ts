import { fragment, sql } from '../platform/db/sql.ts';

/** The chained records of a tenant. */
export const CHAINS = ['tool_calls', 'changes'] as const;
export type ChainName = (typeof CHAINS)[number];

/** A place in a chain: the number of rows up to it, and the hash of the last of them. */
export interface ChainPosition {
  count: number;
  hash: Buffer;
}

/** Does nothing where the chain has one. */
export const insertChainHead = (tenant_id: string, chain: ChainName, sealed: Buffer) =>
  sql`insert into chain_heads (tenant_id, chain, sealed) values (${tenant_id}, ${chain}, ${sealed})
      on conflict do nothing`;

/** Locks one of the tenant's chains for the rest of the transaction. */
export const lockChainHead = (chain: ChainName) =>
  sql<{ sealed: Buffer }>`select sealed from chain_heads where chain = ${chain} for update`
    .first()
    .map((row) => row?.sealed);

/** Moves the heads of the rows `held (tenant_id, sealed)` of the same statement: a part of a `with`. */
export const moveHeldHeads = (chain: ChainName) =>
  fragment(`update chain_heads c set sealed = h.sealed
      from held h where c.tenant_id = h.tenant_id and c.chain = '${chain}'
      returning c.tenant_id`);

export const moveChainHead = (tenant_id: string, chain: ChainName, sealed: Buffer) =>
  sql`update chain_heads set sealed = ${sealed} where tenant_id = ${tenant_id} and chain = ${chain}`;

/** An end of the time before heads (0020_tool_calls.sql), with the last row. */
export interface FormerEnd {
  tenant_id: string;
  count: number | null;
  hash: Buffer | null;
  seal: Buffer | null;
  last_seq: number | null;
  last_hash: Buffer | null;
}

/** The tenants without a head of tool calls. */
export const listFormerEnds = () =>
  sql<FormerEnd>`
    select t.id as tenant_id, c.count, c.hash, c.seal, l.seq as last_seq, l.hash as last_hash
    from tenants t left join tool_call_chains c on c.tenant_id = t.id
    left join lateral (
      select seq, hash from tool_calls where tenant_id = t.id order by seq desc limit 1
    ) as l on true
    where not t.is_platform
      and not exists (select from chain_heads h where h.tenant_id = t.id and h.chain = 'tool_calls')`;
