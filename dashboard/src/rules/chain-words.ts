import type { ChainFault, ChainVerification } from '@agent-control-plane/sdk';
import { count, plural } from './words.ts';

const FAULTS: Record<ChainFault, string> = {
  row_changed: 'is not as it was written',
  row_missing: 'is missing',
  end_changed: 'is not the end that was sealed: rows behind it were removed',
};

/** The answer of a verification, for who never heard of chains. */
export function chainWords({ valid, checked, first_invalid, fault }: ChainVerification): string {
  if (checked === 0 && valid) return 'The record is empty, and nothing was removed from it.';
  if (valid && checked === 1) return 'The one row is as it was written, and none is missing.';
  if (valid)
    return `All ${count(checked)} rows are as they were written, in their order, and none is missing.`;
  const place = first_invalid === null ? 'The end of the record' : `Row ${count(first_invalid)}`;
  return `${place} ${FAULTS[fault ?? 'row_changed']}. Before it, ${plural(checked, 'row')} ${checked === 1 ? 'is' : 'are'} intact. Ask whoever runs the service.`;
}
