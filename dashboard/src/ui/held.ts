import { type FocusEvent, useState } from 'react';

interface Held<Row> {
  shown: readonly Row[];
  /** New rows that are not shown yet. */
  waiting: number;
  release: () => void;
  /** The rows stay as they are. */
  holds: boolean;
  /** Handlers of the element around the rows. */
  hold: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: FocusEvent) => void;
  };
}

/**
 * Nothing moves under the pointer: while the list has pointer or focus, its rows change in place, rows that went are
 * gone, and new ones wait.
 */
export function useHeld<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Held<Row> {
  const [isHeld, setHeld] = useState(false);
  const [order, setOrder] = useState<readonly string[]>([]);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const kept = order.filter((key) => byKey.has(key));
  // Nothing that was there is left: another page or search, which the reader asked for.
  const isOther = kept.length === 0;
  const holds = isHeld && !isOther;
  const begin = () => {
    setOrder([...byKey.keys()]);
    setHeld(true);
  };
  const end = () => setHeld(false);
  return {
    shown: holds ? kept.flatMap((key) => byKey.get(key) ?? []) : rows,
    waiting: holds ? rows.length - kept.length : 0,
    release: () => setOrder([...byKey.keys()]),
    holds,
    hold: {
      onPointerEnter: () => !isHeld && begin(),
      onPointerLeave: end,
      onFocus: () => !isHeld && begin(),
      onBlur: ({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && end(),
    },
  };
}
