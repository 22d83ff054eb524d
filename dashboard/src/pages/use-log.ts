import type { LogLine } from '@agent-control-plane/sdk';
import { useEffect, useState } from 'react';
import { acp } from '../session.ts';

export interface Followed {
  lines: readonly LogLine[];
  isLive: boolean;
  error: unknown;
  retry: () => void;
}

/** Older lines go. */
const MOST = 2000;
/** Lines come in bursts; a page that draws each by itself does nothing else. */
const DRAW_MS = 100;

/** An agent's log as a stream of its own, closed while nobody looks: browsers keep six connections a host. */
export function useLog(instance_id: string, tail: number, isPaused = false): Followed {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [isLive, setLive] = useState(false);
  const [error, setError] = useState<unknown>();
  const [nth, setNth] = useState(0);
  const [isHidden, setHidden] = useState(document.hidden);

  useEffect(() => {
    const onVisibility = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', onVisibility);
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, []);

  useEffect(() => {
    if (isPaused || isHidden) return undefined;
    const mine = new AbortController();
    const waiting: LogLine[] = [];
    const draw = () => {
      const fresh = waiting.splice(0);
      if (fresh.length > 0) setLines((old) => after(old, fresh));
    };
    const timer = setInterval(draw, DRAW_MS);
    const follow = async () => {
      setLive(true);
      for await (const line of acp.instances.logs(instance_id, { tail, signal: mine.signal }))
        waiting.push(line);
    };
    setError(undefined);
    follow().catch((failed: unknown) => {
      if (mine.signal.aborted) return;
      setError(failed);
      setLive(false);
    });
    return () => {
      clearInterval(timer);
      draw();
      mine.abort();
      setLive(false);
    };
    // A retry is the same stream once more.
  }, [instance_id, tail, isPaused, isHidden, nth]);

  return { lines, isLive, error, retry: () => setNth(nth + 1) };
}

/** A stream begins with lines that may be known. */
function after(old: readonly LogLine[], fresh: readonly LogLine[]): readonly LogLine[] {
  const last = old.at(-1)?.id ?? 0;
  return [...old, ...fresh.filter(({ id }) => id > last)].slice(-MOST);
}
