import type { Static } from 'typebox';
import { listChannelMessages } from '../channels/channel-messages.contract.ts';
import { listConnections } from '../connections/connections.contract.ts';
import { listConversations } from '../conversations/conversations.contract.ts';
import { listCustomers } from '../customers/customers.contract.ts';
import { listInstances } from '../instances/instances.contract.ts';
import { getTask } from '../instances/tasks.contract.ts';
import type { Actor } from '../platform/actor.ts';
import type { Operation } from '../platform/contract/operation.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import { ServiceError } from '../platform/errors.ts';
import { refusal } from '../platform/http/authorize.ts';
import { type EventSource, streamEvents, wantsEventStream } from '../platform/http/event-stream.ts';
import { route } from '../platform/http/handler.ts';
import { listRecipes } from '../recipes/recipes.contract.ts';
import { listApprovals } from '../tools/approvals.contract.ts';
import { listTimesheets } from '../workforce/timesheets.contract.ts';
import * as contract from './live.contract.ts';
import { WaitingHints } from './live.ts';

/** Whoever may call the operation hears of the kind. */
const READ_BY: Readonly<Record<contract.ChangeKind, Operation>> = {
  conversation: listConversations,
  approval: listApprovals,
  instance: listInstances,
  task: getTask,
  channel_message: listChannelMessages,
  connection: listConnections,
  timesheet: listTimesheets,
  recipe: listRecipes,
  customer: listCustomers,
};

function readableKinds(actor: Actor): ReadonlySet<string> {
  const kinds = Object.entries(READ_BY).filter(([, operation]) => refusal(operation, actor) === undefined);
  return new Set(kinds.map(([kind]) => kind));
}

type Notified = Static<typeof contract.LiveChange> & { tenant_id: string };

/** Its ids are the stream's own: nothing is replayed, so a stream begins with what changes next. */
function hintsOf(notifications: Notifications, tenant_id: string, kinds: ReadonlySet<string>): EventSource {
  let sent = 0;
  let hints: WaitingHints | undefined;
  return {
    read: async (_after, limit) =>
      (hints?.take(limit) ?? []).map((data) => ({ id: ++sent, event: 'change', data })),
    subscribe: (wake) => {
      const mine = new WaitingHints(wake);
      hints = mine;
      const unsubscribe = notifications.subscribe('changes', (payload) => {
        const { tenant_id: of, ...hint } = JSON.parse(payload) as Notified;
        if (of === tenant_id && kinds.has(hint.kind)) mine.add(hint);
      });
      return () => {
        mine.close();
        unsubscribe();
      };
    },
  };
}

interface StreamServices {
  notifications: Notifications;
  onStopping: (listener: () => void) => () => void;
}

export const liveRoutes = [
  route(contract.followChanges, async (call, { notifications, onStopping }: StreamServices) => {
    const { actor, request, tenant_id } = call;
    if (!wantsEventStream(request.headers.accept))
      throw new ServiceError('not_acceptable', 'Accept has to name text/event-stream');
    return streamEvents(call, hintsOf(notifications, tenant_id, readableKinds(actor)), onStopping);
  }),
];
