import { ApiError, type Input, type OperationId, type Result } from '@agent-control-plane/sdk';
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { isObject } from './rules/recipe-patch.ts';
import { acp, sessionEnded } from './session.ts';

const onFailure = (error: unknown) => {
  if (error instanceof ApiError && error.status === 401) sessionEnded();
};

/** The SDK retries, so the cache does not. Live hints say what is old; without them each page reads anew after 10 s. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onFailure }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true },
    mutations: { retry: false, onError: onFailure },
  },
});

let used: readonly OperationId[] = [];
const usedListeners = new Set<() => void>();

function setUsed(ids: readonly OperationId[]): void {
  used = ids;
  for (const listener of usedListeners) queueMicrotask(listener);
}

/** The operations that the page on screen has used, for its links to the documentation. */
export const operationsUsed = {
  list: (): readonly OperationId[] => used,
  clear: (): void => setUsed([]),
  subscribe: (listener: () => void): (() => void) => {
    usedListeners.add(listener);
    return () => usedListeners.delete(listener);
  },
};

function noteUse(id: OperationId): void {
  if (!used.includes(id)) setUsed([...used, id].toSorted());
}

/** A read: `useQuery(operation('list_customers', { query }))`. */
export const operation = <Id extends OperationId>(id: Id, input: Input<Id>) =>
  queryOptions({
    queryKey: [id, input] as const,
    queryFn: ({ signal }) => {
      noteUse(id);
      return acp.call(id, input, { signal, retries: 1 });
    },
  });

interface ReadOptions {
  enabled?: boolean;
  every?: number;
  /** Read once, because it never changes. */
  fixed?: boolean;
}

/** A read whose last answer stays while a changed input is asked for. */
export const useRead = <Id extends OperationId>(id: Id, input: Input<Id>, options?: ReadOptions) =>
  useQuery({
    ...operation(id, input),
    placeholderData: keepPreviousData,
    enabled: options?.enabled ?? true,
    refetchInterval: options?.every ?? false,
    ...(options?.fixed && { staleTime: 'static' as const }),
  });

/** Lists whose rows move while they are read; each page tells where the next one begins. */
type MovingId = 'list_conversations' | 'list_messages';

/** A list that is read on by demand: all its pages so far, with a last answer that stays. */
export const useReadOn = <Id extends MovingId>(id: Id, input: Input<Id>) =>
  useInfiniteQuery({
    queryKey: [id, input, 'on'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before, signal }): Promise<Result<Id>> => {
      noteUse(id);
      const query = { ...input.query, before };
      return acp.call(id, { ...input, query }, { signal, retries: 1 });
    },
    getNextPageParam: (last) => nextOf(last),
    placeholderData: keepPreviousData,
  });

const nextOf = (page: unknown): string | undefined =>
  isObject(page) && typeof page.next_before === 'string' ? page.next_before : undefined;

/**
 * A write. Afterwards all that the page shows is read anew; `done` comes before that, to leave the page of what the
 * write has ended.
 */
export function useWrite<Id extends OperationId>(
  id: Id,
  options?: { done?: (result: Result<Id>) => Promise<unknown> | void },
) {
  const { mutateAsync, isPending, error, variables } = useMutation({
    mutationFn: (input: Input<Id>): Promise<Result<Id>> => {
      noteUse(id);
      return acp.call(id, input);
    },
    onSuccess: (result) => options?.done?.(result),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return { run: mutateAsync, pending: isPending, error, input: variables };
}
