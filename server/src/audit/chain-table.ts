import type { Query } from '../platform/db/sql.ts';
import type { ChainName } from '../secrets/chain-heads.db.ts';
import type { LastRow } from './chain-head.ts';
import type { ChainBounds, ChainedRow } from './chained-rows.db.ts';
import {
  deleteChangesUpTo,
  findChangeBounds,
  findLastChainedChange,
  listChainedChangesAfter,
} from './changes.db.ts';
import {
  deleteToolCallsUpTo,
  findLastToolCall,
  findToolCallBounds,
  listToolCallsAfter,
} from './tool-calls.db.ts';

export interface ChainTable {
  name: ChainName;
  findBounds: () => Query<ChainBounds>;
  /** In the order of the chain. */
  listAfter: (place: number, limit: number) => Query<ChainedRow[]>;
  findLast: () => LastRow;
  /** In the system scope. */
  deleteUpTo: (tenant_id: string, place: number) => Query<unknown>;
}

export const toolCallTable: ChainTable = {
  name: 'tool_calls',
  findBounds: findToolCallBounds,
  listAfter: listToolCallsAfter,
  findLast: findLastToolCall,
  deleteUpTo: deleteToolCallsUpTo,
};

export const changeTable: ChainTable = {
  name: 'changes',
  findBounds: findChangeBounds,
  listAfter: listChainedChangesAfter,
  findLast: findLastChainedChange,
  deleteUpTo: deleteChangesUpTo,
};
