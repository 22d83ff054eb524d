import { ApiError, ControlPlane, type Input, type OperationId, type Result } from '@agent-control-plane/sdk';
import { keepPreviousData, QueryCache, QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { PATIENCE_MS } from './session.ts';

/** The operations token lives here and nowhere else: a reload asks for it again. */
let client: ControlPlane | undefined;
const listeners = new Set<() => void>();

function become(next: ControlPlane | undefined): void {
  client = next;
  for (const listener of listeners) listener();
}

export const operatorSession = {
  isOpen: (): boolean => client !== undefined,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Rejects where the service does not take the token. */
export async function openOperator(operationsToken: string): Promise<void> {
  const opened = new ControlPlane({
    baseUrl: location.origin,
    operationsToken,
    longestWaitMs: PATIENCE_MS,
  });
  await opened.call('get_operator_overview', {});
  become(opened);
}

export function closeOperator(): void {
  become(undefined);
  operatorQueries.clear();
}

const onFailure = (error: unknown) => {
  if (error instanceof ApiError && error.status === 401) closeOperator();
};

/** Apart from the queries of a tenant's session, whose end ends those. */
export const operatorQueries = new QueryClient({
  queryCache: new QueryCache({ onError: onFailure }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true },
    mutations: { retry: false, onError: onFailure },
  },
});

/** There are no live hints of all tenants. */
const EVERY_MS = 10_000;

const call = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  signal?: AbortSignal,
): Promise<Result<Id>> => {
  if (!client) throw new Error('The operations token is not there any more.');
  return client.call(id, input, signal ? { signal, retries: 1 } : {});
};

/** As `useRead`, of the operator. */
export const useOperatorRead = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, isLive = false }: { enabled?: boolean; isLive?: boolean } = {},
) =>
  useQuery(
    {
      queryKey: [id, input] as const,
      queryFn: ({ signal }) => call(id, input, signal),
      placeholderData: keepPreviousData,
      enabled,
      refetchInterval: isLive ? EVERY_MS : false,
    },
    operatorQueries,
  );

/** As `useWrite`, of the operator. */
export function useOperatorWrite<Id extends OperationId>(
  id: Id,
  options?: { done?: (result: Result<Id>) => void },
) {
  const { mutateAsync, isPending, error } = useMutation(
    {
      mutationFn: (input: Input<Id>) => call(id, input),
      onSuccess: (result) => options?.done?.(result),
      onSettled: () => operatorQueries.invalidateQueries(),
    },
    operatorQueries,
  );
  return { run: mutateAsync, pending: isPending, error };
}
