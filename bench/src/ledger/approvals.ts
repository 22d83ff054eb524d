import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from './agent.ts';
import type { Message } from './messages.ts';
import type { Stage } from './stage.ts';
import type { WriterContext } from './writers.ts';

const APPROVALS = 'approvals';
const DECISIONS = 'decisions about approvals';
const CALLS = 'approved calls of tools';
/** The agent tells each outcome with these words and the approval's id and status. */
const OUTCOMES = 'outcomes of approvals';
const OUTCOME = /^outcome (\S+) (\S+)$/;
/** One in so many is refused. */
const REJECT_EVERY = 4;

export interface Approval {
  id: string;
  status: 'waiting' | 'approved' | 'rejected' | 'expired' | 'failed';
  arguments: { key: string };
  result: object | null;
  decided_at: string | null;
}

type Decision = 'approve' | 'reject';

/** The decisions, so far as they are known. */
class Decisions {
  readonly #context: WriterContext;
  /** Every decision that was sent. */
  readonly sent = new Map<string, Decision>();
  readonly acknowledged = new Map<string, Decision>();

  constructor(context: WriterContext) {
    this.#context = context;
  }

  async decide({ id }: Approval): Promise<void> {
    const { api, book } = this.#context;
    const decision =
      this.sent.get(id) ?? (this.sent.size % REJECT_EVERY === REJECT_EVERY - 1 ? 'reject' : 'approve');
    this.sent.set(id, decision);
    const answer = await api.attempt('POST', `/v1/approvals/${id}`, { decision }, [409]);
    // 409: an earlier request of ours, which was not answered, has decided it.
    if (answer?.status !== 200) return;
    this.acknowledged.set(id, decision);
    book.acknowledge(DECISIONS, id);
  }
}

/** A person decides about each call that waits, until the run is over. @returns what compares them with the pause */
export async function decide(context: WriterContext, { tools }: Stage, agent: Agent): Promise<Decided> {
  const { api, isOver } = context;
  const decisions = new Decisions(context);
  const list = (status: string) => `/v1/approvals?instance_id=${agent.instance_id}${status}`;
  const decideAll = async () => {
    const path = `${list('&status=waiting')}&per_page=100`;
    const { items } = await api.callUntilAnswered<{ items: Approval[] }>('GET', path);
    for (const item of items) if (!decisions.acknowledged.has(item.id)) await decisions.decide(item);
  };
  for (; !isOver(); await sleep(300)) await decideAll();
  return {
    settle: () => settledApprovals(context, decideAll, () => api.all<Approval>(list(''), 'items')),
    compare: (all, messages) => {
      compareApprovals(context, decisions, all);
      compareCalls(context, all, tools.keysOf('transfer'));
      compareOutcomes(context, all, outcomesIn(messages));
    },
  };
}

export interface Decided {
  /** All approvals, once each was carried out, or nothing moves any more. */
  settle(): Promise<Approval[]>;
  compare(all: readonly Approval[], messages: readonly Message[]): void;
}

const isOpen = ({ status, result }: Approval) =>
  status === 'waiting' || (status === 'approved' && result === null);

async function settledApprovals(
  { patienceMs }: WriterContext,
  decideAll: () => Promise<void>,
  list: () => Promise<Approval[]>,
): Promise<Approval[]> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(500)) {
    await decideAll();
    const all = await list();
    if (Date.now() > deadline || !all.some(isOpen)) return all;
  }
}

function compareApprovals(
  { book }: WriterContext,
  { acknowledged }: Decisions,
  all: readonly Approval[],
): void {
  book.compare(
    APPROVALS,
    all.map(({ arguments: { key } }) => key),
  );
  for (const { id, status, decided_at } of all) {
    const decision = acknowledged.get(id);
    const isKept =
      decision === 'reject' ? status === 'rejected' : status === 'approved' || status === 'failed';
    if (decision && !isKept) book.find(DECISIONS, 'lost', `${id}: ${decision} is ${status}`);
    if (!decision && status === 'waiting') book.find(DECISIONS, 'wrong', `${id} could not be decided`);
    if (status !== 'failed') continue;
    const at = Date.parse(decided_at ?? '');
    // Nobody knows if the call was made: the service ended while it waited for the answer.
    if (book.wasInTrouble(at, at + 60_000)) book.allow('approved call of unknown outcome');
    else book.find(APPROVALS, 'wrong', `${id} failed although nothing was wrong`, at);
  }
}

/** A call that was approved is made once; one of unknown outcome, once or not at all; any other, never. */
function compareCalls({ book }: WriterContext, all: readonly Approval[], made: readonly string[]): void {
  for (const {
    status,
    arguments: { key },
  } of all) {
    if (status === 'approved') book.acknowledge(CALLS, key);
    else if (status === 'failed') book.try(CALLS, key);
  }
  book.compare(CALLS, made);
}

function compareOutcomes(
  { book }: WriterContext,
  all: readonly Approval[],
  told: readonly { id: string; status: string }[],
): void {
  const statuses = new Map(all.map(({ id, status }) => [id, status]));
  for (const approval of all) if (!isOpen(approval)) book.acknowledge(OUTCOMES, approval.id);
  book.compare(
    OUTCOMES,
    told.map(({ id }) => id),
  );
  for (const { id, status } of told)
    if (status !== statuses.get(id))
      book.find(OUTCOMES, 'wrong', `${id}: the agent told ${status}, it is ${statuses.get(id)}`);
}

function outcomesIn(messages: readonly Message[]): { id: string; status: string }[] {
  return messages.flatMap(({ author, text }) => {
    const [, id, status] = (author === 'agent' && OUTCOME.exec(text)) || [];
    return id !== undefined && status !== undefined ? [{ id, status }] : [];
  });
}
