import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { plural } from '../rules/words.ts';
import { refusalOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';

export interface Retries {
  /** Why one was not taken, by its id. */
  faults: ReadonlyMap<string, string>;
  /** Ids under way. */
  pending: ReadonlySet<string>;
  retry: (ids: readonly string[]) => void;
}

/** Tries messages again that were given up, one after the other. */
export function useRetries(): Retries {
  const { run } = useWrite('retry_channel_message');
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const all = async (ids: readonly string[]) => {
    const refused = new Map<string, string>();
    setFaults(refused);
    setPending(new Set(ids));
    for (const id of ids)
      await run({ path: { channel_message_id: id } }).catch((error: unknown) =>
        refused.set(id, refusalOf(error).words),
      );
    setPending(new Set());
    setFaults(new Map(refused));
    const taken = ids.length - refused.size;
    if (taken > 0)
      say(`${plural(taken, 'message')} ${taken === 1 ? 'is' : 'are'} tried again, for 24 hours.`);
  };
  return { faults, pending, retry: (ids) => void all(ids) };
}
