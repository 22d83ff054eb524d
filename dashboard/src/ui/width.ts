import { type RefObject, useEffect, useRef, useState } from 'react';

/** The element's width in pixels as it changes; `first` until it is known. */
export function useWidth<Element extends HTMLElement>(first: number): [RefObject<Element | null>, number] {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const { current } = ref;
    if (!current) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
