import { fragment, sql } from '../platform/db/sql.ts';

/** Hash-chained audit records. */
export const CHAINS = ['tool_calls', 'changes'] as const;
export type ChainName = (typeof CHAINS)[number];

/** The number of rows so far and the last one's hash. */
export interface ChainPosition {
  count: number;
  hash: Buffer;
}

/** An existing head stays. */
export const insertChainHead = (tenant_id: string, chain: ChainName, sealed: Buffer) =>
  sql`insert into chain_heads (tenant_id, chain, sealed) values (${tenant_id}, ${chain}, ${sealed})
      on conflict do nothing`;

export const lockChainHead = (chain: ChainName) =>
  sql<{ sealed: Buffer }>`select sealed from chain_heads where chain = ${chain} for update`
    .first()
    .map((row) => row?.sealed);

/** Continues a `with` whose query `held (tenant_id, sealed)` has the new heads. */
export const moveLockedHeads = (chain: ChainName) =>
  fragment(`update chain_heads c set sealed = h.sealed
      from held h where c.tenant_id = h.tenant_id and c.chain = '${chain}'
      returning c.tenant_id`);

export const moveChainHead = (tenant_id: string, chain: ChainName, sealed: Buffer) =>
  sql`update chain_heads set sealed = ${sealed} where tenant_id = ${tenant_id} and chain = ${chain}`;
