import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasKeys } from './appearance.ts';
import { MENU } from './menu.ts';

/** The second key of `g o` may come this late. */
const SECOND_MS = 1000;

const KEYS_PAGE: string = '/settings/me';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Moves the focus between the rows on screen, by their first link, else by their first button. */
function moveRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row]')].flatMap(
    (row) =>
      (row.matches('a')
        ? row
        : (row.querySelector<HTMLElement>('a') ?? row.querySelector<HTMLElement>('button'))) ?? [],
  );
  const focused = links.findIndex((link) => link === document.activeElement);
  // Beside a row that is open one goes on from there.
  const at = focused === -1 ? links.findIndex((link) => link.ariaCurrent === 'true') : focused;
  links[at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by]?.focus();
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** Ctrl or Command K finds; `/` searches, `j k` move between rows, `g` and a letter goes to a page. */
export function useKeys(find: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let wentAt = -SECOND_MS;
    const onKey = (event: KeyboardEvent) => {
      const { key } = event;
      if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        find();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') || !hasKeys()) return;
      if (event.timeStamp - wentAt < SECOND_MS) {
        wentAt = -SECOND_MS;
        const page = MENU.find((entry) => entry.key === key);
        if (page) void navigate({ to: page.to });
      } else if (key === 'g') wentAt = event.timeStamp;
      else if (key === 'j') moveRow(1);
      else if (key === 'k') moveRow(-1);
      else if (key === '/') focusSearch(event);
      else if (key === '?') void navigate({ to: KEYS_PAGE, hash: 'keys' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [find, navigate]);
}
