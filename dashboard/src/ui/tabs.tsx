import { createLink } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from 'react';
import style from './tabs.module.css';

/** Tabs are links: each has an address. Where they do not all fit, the one that is open is in sight. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = nav;
    const open = current?.querySelector<HTMLElement>('[aria-current]');
    if (!current || !open) return;
    const middle = open.offsetLeft - current.offsetLeft - (current.clientWidth - open.offsetWidth) / 2;
    current.scrollTo({ left: middle });
  });
  return (
    <nav ref={nav} className={style.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  n?: number | undefined;
  ref?: Ref<HTMLAnchorElement>;
};

const TabAnchor = ({ n, children, ...rest }: AnchorProps) => (
  <a {...rest}>
    {children}
    {n !== undefined && n > 0 && <span className={style.n}>{n}</span>}
  </a>
);

export const Tab = createLink(TabAnchor);

export const TabPanel = ({ children }: { children: ReactNode }) => (
  <div className={style.panel}>{children}</div>
);
