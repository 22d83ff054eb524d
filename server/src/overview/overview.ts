import type { Static } from 'typebox';
import { INSTANCE_STATUSES } from '../catalogue/hosting.contract.ts';
import { listChannelMessages } from '../channels/channel-messages.contract.ts';
import { listConnections } from '../connections/connections.contract.ts';
import { listConversations } from '../conversations/conversations.contract.ts';
import { listCustomers } from '../customers/customers.contract.ts';
import { listInstances } from '../instances/instances.contract.ts';
import { getUsage } from '../models/usage.contract.ts';
import type { Operation } from '../platform/contract/operation.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { listRecipes } from '../recipes/recipes.contract.ts';
import { listApprovals } from '../tools/approvals.contract.ts';
import { listTimesheets } from '../workforce/timesheets.contract.ts';
import * as needs from './needs.db.ts';
import { type Counts, NEED_KINDS, type NeedKind, type Overview } from './overview.contract.ts';
import * as counting from './overview.db.ts';
import { countStaffNeeds, findExpiringCert, findSubmittedTimesheet } from './staff-needs.db.ts';

/** Shown to whoever may call `readBy`. */
interface Part {
  readBy: Operation;
  count: () => Query<Partial<Counts>>;
  cases?: Partial<Record<NeedKind, needs.FindCase>>;
}

const countInstances = () =>
  counting.countInstances().map(({ instances, ...others }) => ({
    ...others,
    instances: Object.fromEntries(
      INSTANCE_STATUSES.map((status) => [status, instances[status] ?? 0]),
    ) as Counts['instances'],
  }));

const PARTS: readonly Part[] = [
  {
    readBy: listInstances,
    count: countInstances,
    cases: { failed_instance: needs.findFailedInstance },
  },
  {
    readBy: listConversations,
    count: counting.countConversations,
    cases: { waiting_conversation: needs.findWaitingConversation, failed_message: needs.findFailedMessage },
  },
  {
    readBy: listApprovals,
    count: counting.countApprovals,
    cases: { waiting_approval: needs.findWaitingApproval },
  },
  {
    readBy: listConnections,
    count: counting.countConnections,
    cases: {
      expired_connection: needs.findExpiredConnection,
      expiring_connection: needs.findExpiringConnection,
    },
  },
  {
    readBy: listChannelMessages,
    count: counting.countChannels,
    cases: { dead_message: needs.findDeadMessage },
  },
  {
    readBy: listTimesheets,
    count: countStaffNeeds,
    cases: { submitted_timesheet: findSubmittedTimesheet, expiring_cert: findExpiringCert },
  },
  { readBy: listCustomers, count: counting.countCustomers },
  { readBy: listRecipes, count: counting.countRecipes },
  { readBy: getUsage, count: () => counting.sumMonth().map((month) => ({ month })) },
];

type MayCall = (operation: Operation) => boolean;

const readableParts = (mayCall: MayCall) => PARTS.filter(({ readBy }) => mayCall(readBy));

/** Callers of a kind see the same. */
export const kindOf = (mayCall: MayCall): string =>
  readableParts(mayCall)
    .map(({ readBy }) => readBy.id)
    .join(' ');

interface Found {
  counts?: Partial<Counts>;
  need?: readonly [NeedKind, needs.Case | undefined];
}

/** In one round trip. */
export async function readOverview(q: Queryable, mayCall: MayCall): Promise<Static<typeof Overview>> {
  const isNamed = mayCall(listCustomers);
  const found = await q.runAll<Found>(
    readableParts(mayCall).flatMap(({ count, cases = {} }): Query<Found>[] => [
      count().map((counts) => ({ counts })),
      ...NEED_KINDS.flatMap((kind) => {
        const query = cases[kind]?.(isNamed);
        return query ? [query.map((first) => ({ need: [kind, first] as const }))] : [];
      }),
    ]),
  );
  const counts = Object.assign({}, ...found.map((each) => each.counts)) as Counts;
  const cases = new Map(found.flatMap(({ need }) => (need ? [need] : [])));
  return {
    ...counts,
    needs: NEED_KINDS.flatMap((kind) => {
      const [count, first] = [casesIn(counts, kind), cases.get(kind)];
      return first && count > 0 ? [{ kind, count, ...first }] : [];
    }),
  };
}

function casesIn(counts: Counts, kind: NeedKind): number {
  return kind === 'failed_instance' ? counts.instances.failed : (counts[`${kind}s`] ?? 0);
}
