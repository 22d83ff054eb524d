import { useEffect, useState } from 'react';
import { ago, dayAndClock, full, left } from '../rules/time.ts';

const TICK_MS = 30_000;

/** The time, anew each half minute. */
export function useNow(tickMs = TICK_MS): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
}

interface TimeProps {
  at: string;
  /** ago: "14 min"; left: "46 min left"; when: "yesterday 09:27". */
  as?: 'ago' | 'left' | 'when';
}

const WORDS = { ago, left, when: dayAndClock };

export const Time = ({ at, as = 'ago' }: TimeProps) => (
  <time dateTime={at} title={full(at)} className="num">
    {WORDS[as](at, useNow())}
  </time>
);
