import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import style from './menu.module.css';

interface MenuProps {
  label: string;
  icon?: IconName;
  /** Shown instead of the three dots. */
  words?: string;
  small?: boolean;
  /** MenuItems and links. */
  children: ReactNode;
}

/** A button and the actions behind it. Arrows move, Escape and a click beside it close (popover). */
export function Menu({ label, icon = 'dots', words, small = true, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const place = () => {
    const from = button.current?.getBoundingClientRect();
    if (!from || !list.current) return;
    const { style: place } = list.current;
    place.top = `${from.bottom}px`;
    place.right = `${Math.max(8, document.documentElement.clientWidth - from.right)}px`;
    items(list.current)[0]?.focus();
  };

  return (
    <>
      <Button
        ref={button}
        look={words === undefined ? 'plain' : undefined}
        small={small}
        icon={icon}
        aria-label={words === undefined ? label : undefined}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        {words}
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={style.menu}
        onToggle={({ newState }) => newState === 'open' && place()}
        onKeyDown={move}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

const items = (menu: HTMLElement) => [
  ...menu.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)'),
];

function move(event: KeyboardEvent<HTMLDivElement>) {
  const all = items(event.currentTarget);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[(to + all.length) % all.length]?.focus();
}

interface ItemProps {
  onSelect: () => void;
  bad?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

export const MenuItem = ({ onSelect, bad = false, disabled = false, children }: ItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    disabled={disabled}
    className={bad ? style.bad : undefined}
    onClick={onSelect}
  >
    {children}
  </button>
);
