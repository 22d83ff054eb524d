import { useSyncExternalStore } from 'react';
import style from './toast.module.css';

const SHOWN_MS = 6000;

interface Toast {
  id: number;
  words: string;
}

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

const change = (next: readonly Toast[]) => {
  toasts = next;
  for (const listener of listeners) listener();
};

/** Says that something is done, for a few seconds. Failures stand where they happened instead. */
export function say(words: string): void {
  const id = ++last;
  change([...toasts.slice(-2), { id, words }]);
  setTimeout(() => change(toasts.filter((each) => each.id !== id)), SHOWN_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const Toasts = () => (
  <div className={style.toasts} role="status">
    {useSyncExternalStore(subscribe, () => toasts).map(({ id, words }) => (
      <p key={id} className={style.toast}>
        {words}
      </p>
    ))}
  </div>
);
