import { useParams } from '@tanstack/react-router';
import { useRead } from '../queries.ts';

/** The agent of the address; while another one is read, none. */
export function useInstance() {
  const { instance_id = '' } = useParams({ strict: false });
  const read = useRead('get_instance', { path: { instance_id } });
  return { ...read, data: read.data?.id === instance_id ? read.data : undefined };
}

/** Undefined until it is known. */
export function useIsAdmin(): boolean | undefined {
  const { data } = useRead('get_me', {});
  return data && data.role === 'admin';
}
