import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This close to the end counts as at it. */
const NEAR = 40;

interface Ends {
  /** Keys of the first and the last line. */
  first: string | undefined;
  last: string | undefined;
}

/**
 * A list that grows at both ends: at its end it follows what comes, elsewhere nothing moves under the reader, also when older
 * lines come above.
 * @returns isBehind: lines came that are below what is shown
 */
export function useFollowEnd(box: RefObject<HTMLElement | null>, { first, last }: Ends) {
  const [isBehind, setBehind] = useState(false);
  const place = useRef({ isAtEnd: true, height: 0, first, last });
  const toEnd = () => {
    const { current } = box;
    if (current) current.scrollTop = current.scrollHeight;
  };

  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const before = place.current;
    const grown = current.scrollHeight - before.height;
    if (before.isAtEnd) current.scrollTop = current.scrollHeight;
    else if (first !== before.first) current.scrollTop += grown;
    else if (last !== before.last) setBehind(true);
    place.current = { ...before, height: current.scrollHeight, first, last };
  }, [box, first, last]);

  useEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const onScroll = () => {
      const { scrollHeight, scrollTop, clientHeight } = current;
      place.current.isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
      if (place.current.isAtEnd) setBehind(false);
    };
    // Pictures come later than their messages, and the composer changes its height.
    const observer = new ResizeObserver(() => {
      if (place.current.isAtEnd) current.scrollTop = current.scrollHeight;
      place.current.height = current.scrollHeight;
    });
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', onScroll);
    };
  }, [box]);

  return { isBehind, toEnd };
}
