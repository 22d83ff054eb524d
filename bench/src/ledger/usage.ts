import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from './agent.ts';
import type { Stage } from './stage.ts';
import type { Check, WriterContext } from './writers.ts';

const ROWS = 'usage rows';
const SPENDING = 'spending of the customer';
/** A call that was broken off is settled by then. */
const SETTLED_WITHIN_MS = 30_000;
/** A call takes no longer than this. */
const TAKES_MS = 30_000;

interface Row {
  status: 'running' | 'ok' | 'failed' | 'aborted' | 'lost';
  tokens: string;
  output_tokens: string;
  at: Date;
}

/** Compares the rows of calls of models with the provider's bill: each answer has a number of tokens of its own. */
export async function meter(context: WriterContext, stage: Stage, { customer_id }: Agent): Promise<Check> {
  const { api, book } = context;
  await api.callUntilAnswered('PUT', `/v1/customers/${customer_id}/budget`, {
    monthly_tokens: 1_000_000_000_000,
  });
  const read = () =>
    stage.database.read<Row>(
      'ledger',
      `select status, input_tokens + output_tokens as tokens, output_tokens, at from llm_calls
       where customer_id = '${customer_id}' order by at`,
    );
  return async () => {
    let rows = await read();
    const hasOpen = () => rows.some(({ status }) => status === 'running');
    for (
      const deadline = Date.now() + SETTLED_WITHIN_MS;
      hasOpen() && Date.now() < deadline;
      await sleep(500)
    )
      rows = await read();
    compareRows(context, stage, rows);
    const { spent_tokens } = await api.callUntilAnswered<{ spent_tokens: number }>(
      'GET',
      `/v1/customers/${customer_id}/budget`,
    );
    const settled = rows.filter(({ status }) => status !== 'running');
    const sum = settled.reduce((total, { tokens }) => total + Number(tokens), 0);
    book.count(SPENDING);
    if (spent_tokens !== sum)
      book.find(SPENDING, 'wrong', `${spent_tokens} tokens are spent, and the rows have ${sum}`);
  };
}

/**
 * Each answer on the bill has its row. A call that broke off under a fault has one of what was reserved for it, which
 * stands for one answer.
 */
function compareRows({ book }: WriterContext, { model }: Stage, rows: readonly Row[]): void {
  const whole = new Set(
    rows.filter(({ status }) => status === 'ok').map(({ output_tokens }) => output_tokens),
  );
  let broken = 0;
  for (const { status, at } of rows) {
    if (status === 'ok') continue;
    const isExcused = book.wasInTrouble(at.getTime(), at.getTime() + TAKES_MS);
    if (isExcused) broken += 1;
    else book.find(ROWS, 'wrong', `a call is ${status} although nothing was wrong`, at.getTime());
  }
  for (const { output_tokens, at } of model.bill) {
    const name = String(output_tokens);
    const isMissing = !whole.has(name) && book.wasInTrouble(at - TAKES_MS, at + TAKES_MS);
    book.try(ROWS, name);
    if (isMissing && broken > 0) broken -= 1;
    else book.acknowledge(ROWS, name);
  }
  const found = rows.filter(({ status }) => status === 'ok').map(({ output_tokens }) => output_tokens);
  book.compare(ROWS, found);
}
