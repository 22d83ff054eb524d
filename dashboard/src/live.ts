import { useSyncExternalStore } from 'react';
import { queryClient } from './queries.ts';
import { acp } from './session.ts';

export type LiveState = { is: 'live' } | { is: 'polling' } | { is: 'away'; since: number };

/** How long a stream is tried again before the page reads by itself. */
const RETRY_MS = 5000;
const POLL_MS = 10_000;
const WAIT_MS = 200;

/** Which reads a hint makes old. */
const READS: Record<string, readonly string[]> = {
  // The outcome of a call that was approved comes as a message.
  conversation: [
    'list_conversations',
    'get_conversation',
    'list_messages',
    'list_approvals',
    'get_approval',
    'get_activity',
  ],
  approval: ['list_approvals', 'get_approval', 'list_messages'],
  instance: [
    'list_instances',
    'get_instance',
    'list_instance_events',
    'list_instance_deployments',
    'get_instance_drift',
    'list_instance_triggers',
    'upgrade_instance',
  ],
  task: ['get_task', 'list_tasks', 'list_instances', 'get_instance', 'list_instance_events', 'get_rollout'],
  channel_message: ['list_channel_messages'],
  connection: ['list_connections', 'list_all_connections', 'check_deploy', 'upgrade_instance'],
  timesheet: ['list_timesheets', 'list_tenant_timesheets'],
  recipe: [
    'list_recipes',
    'get_recipe',
    'list_recipe_revisions',
    'check_deploy',
    'upgrade_instance',
    'list_rollouts',
    'get_rollout',
  ],
  customer: ['list_customers', 'get_customer'],
};

let state: LiveState = { is: 'polling' };
let stream: AbortController | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const useLive = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );

/**
 * Reads anew what is old. Waits for a write under way, which reads all anew at its end and perhaps leaves the page of what
 * it deletes, and for the next page of a list, which reading the list anew would cancel.
 */
const readAnew = (isOld: (operation: unknown) => boolean): void => {
  const areMore = queryClient.isFetching({
    predicate: ({ state }) => state.fetchMeta?.fetchMore !== undefined,
  });
  if (queryClient.isMutating() + areMore > 0) {
    setTimeout(() => readAnew(isOld), WAIT_MS);
    return;
  }
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOld(queryKey[0]) });
};

const noteChange = (kind: string): void => {
  const reads: readonly unknown[] = [...(READS[kind] ?? []), 'get_overview'];
  readAnew((operation) => reads.includes(operation));
};

async function follow({ signal }: AbortController): Promise<void> {
  for await (const { kind } of acp.changes({ signal, onOpen: () => become({ is: 'live' }) }))
    noteChange(kind);
}

/** One stream a tab, closed while nobody looks (browsers keep six connections a host). */
function connect(): void {
  clearTimeout(retry);
  stream?.abort();
  if (document.hidden) return;
  const mine = new AbortController();
  stream = mine;
  follow(mine)
    .catch(() => undefined)
    .finally(() => {
      if (mine.signal.aborted) return;
      if (state.is === 'live') become({ is: 'away', since: Date.now() });
      retry = setTimeout(connect, RETRY_MS);
    });
}

export function startLive(): () => void {
  const onVisibility = () => {
    if (document.hidden) stream?.abort();
    else {
      readAnew(() => true);
      connect();
    }
  };
  document.addEventListener('visibilitychange', onVisibility);
  const poll = setInterval(() => {
    if (state.is !== 'live' && !document.hidden) readAnew(() => true);
  }, POLL_MS);
  connect();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearInterval(poll);
    clearTimeout(retry);
    stream?.abort();
  };
}
