import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { BEGINNING, ToolCallChain } from './tool-call-chain.ts';
import type { ChainFault } from './tool-calls.contract.ts';
import { findChainEnd, listToolCallsAfter } from './tool-calls.db.ts';

const ROWS_AT_ONCE = 1000;

export interface Verification {
  valid: boolean;
  /** Unchanged rows, from the first on. */
  checked: number;
  /** The seq of the first row that was changed or is missing. */
  first_invalid: number | null;
  fault: ChainFault | null;
  /** The hash of the last unchanged row, in hex. */
  last_hash: string | null;
}

/**
 * Checks every row of the tenant against the chain, up to its end at the time of the call. Rows are read in pages outside
 * of a transaction, because written rows never change.
 */
export async function verifyToolCalls(keyring: Keyring, q: TenantQueryable): Promise<Verification> {
  const chain = new ToolCallChain(keyring, q.tenant_id);
  const { end = chain.beginning(), last_seq } = await q.run(findChainEnd());
  let { count: checked, hash } = BEGINNING;
  const result = (fault: ChainFault | null): Verification => ({
    valid: fault === null,
    checked,
    first_invalid: fault === null ? null : checked + 1,
    fault,
    last_hash: checked === 0 ? null : hash.toString('hex'),
  });
  while (checked < end.count) {
    const rows = await q.run(listToolCallsAfter(checked, Math.min(ROWS_AT_ONCE, end.count - checked)));
    if (rows.length === 0) return result('row_missing');
    for (const row of rows) {
      if (row.seq !== checked + 1) return result('row_missing');
      const expected = chain.rowHash(hash, row.seq, row);
      if (expected.toString('hex') !== row.hash) return result('row_changed');
      checked = row.seq;
      hash = expected;
    }
  }
  const isEnd = chain.isSealed(end) && hash.equals(end.hash) && (last_seq ?? 0) === end.count;
  return result(isEnd ? null : 'end_changed');
}
