import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import style from './page.module.css';

const PRODUCT = 'Agent control plane';

/** The address whose heading had the focus. The first page begins at its top, with the link that skips the menu. */
let begun = location.pathname;
/** A heading went with the focus, as when a page's data replace its skeleton. */
let isLost = false;

/** Names the document, and is what a screen reader reads first after a navigation. */
export function Title({ children, document: name }: { children: ReactNode; document?: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name ?? heading.current?.textContent ?? ''} · ${PRODUCT}`;
    if (location.pathname !== begun || isLost) heading.current?.focus({ preventScroll: true });
    begun = location.pathname;
    isLost = false;
  });
  useLayoutEffect(() => {
    const shown = heading.current;
    return () => {
      isLost = document.activeElement === shown;
    };
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

interface PageProps {
  title: ReactNode;
  /** For the browser's tab, where it differs from the title. */
  name?: string | undefined;
  crumb?: ReactNode;
  sub?: ReactNode;
  /** Buttons; at most one of them primary. */
  actions?: ReactNode;
  children: ReactNode;
}

export const Page = ({ title, name, crumb, sub, actions, children }: PageProps) => (
  <div className={style.page}>
    <header className={style.head}>
      <div className={style.title}>
        {crumb && <p className={style.crumb}>{crumb}</p>}
        <Title document={name}>{title}</Title>
        {sub && <div className={style.sub}>{sub}</div>}
      </div>
      {actions}
    </header>
    {children}
  </div>
);

interface SectionProps {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, aside, children }: SectionProps) => (
  <section className={style.section}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);
