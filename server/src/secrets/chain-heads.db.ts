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
