import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGES } from './api.ts';
import type { Approval } from './approvals.ts';
import type { WriterContext } from './writers.ts';

const CHAINS = 'verified records';
const CALLS = 'rows of the record of tool calls';
const AGAIN_MS = 3000;
const RECORDS = ['tool-calls', 'changes'] as const;

interface Verification {
  valid: boolean;
  first_invalid: number | null;
  fault: string | null;
}

/** Has both records verified again and again. @returns what compares them with what was called and changed */
export async function audit(
  context: WriterContext,
): Promise<(approvals: readonly Approval[]) => Promise<void>> {
  const { api, book, isOver } = context;
  const areValid = async () => {
    for (const record of RECORDS) {
      const path = `/v1/audit/${record}/verification`;
      const { valid, fault, first_invalid } = await api.callUntilAnswered<Verification>('GET', path);
      book.count(CHAINS);
      if (!valid) book.find(CHAINS, 'wrong', `${record}: ${fault} at ${first_invalid}`);
      if (!valid) return false;
    }
    return true;
  };
  for (let isGood = true; isGood && !isOver(); await sleep(AGAIN_MS)) isGood = await areValid();
  return async (approvals) => {
    await areValid();
    const changes = await api.all<Row>('/v1/audit/changes?actor_kind=api_key', 'items');
    book.compare(CHANGES, idsOf(changes));
    // The call of an approval has its id. It is recorded once it was made.
    for (const { id, status } of approvals)
      if (status === 'approved') book.acknowledge(CALLS, id);
      else book.try(CALLS, id);
    book.compare(CALLS, idsOf(await api.all<Row>('/v1/audit/tool-calls', 'items')));
  };
}

interface Row {
  request_id: string;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ request_id }) => request_id);
