import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Skeleton } from './notice.tsx';

/** Shows what is known of a query: the last answer stays while a new one is asked for, also when that fails. */
export function Answered<Data>({
  of: { data, error, refetch },
  children,
}: {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  children: (data: Data) => ReactNode;
}) {
  const failed = error && <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return failed || <Skeleton />;
  return (
    <>
      {failed}
      {children(data)}
    </>
  );
}
