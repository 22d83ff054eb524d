import type { ReactNode } from 'react';
import style from './panel.module.css';

interface PanelProps {
  title?: ReactNode;
  /** For a panel without a title. */
  label?: string;
  aside?: ReactNode;
  /** Rows and tables reach the edge; other content has room around it. */
  bare?: boolean;
  children: ReactNode;
}

export const Panel = ({ title, label, aside, bare = false, children }: PanelProps) => (
  <section className={style.panel} aria-label={label}>
    {title && (
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
    )}
    {bare ? children : <div className={style.body}>{children}</div>}
  </section>
);

/** @param className has the rows' columns */
export const Rows = ({ children, className }: { children: ReactNode; className?: string | undefined }) => (
  <ul className={[style.rows, className].filter(Boolean).join(' ')}>{children}</ul>
);

/** Names and values; those that are null or undefined are left out. */
export const Facts = ({
  of,
}: {
  of: readonly (readonly [string, ReactNode] | null | undefined | false)[];
}) => (
  <dl className={style.facts}>
    {of.map(
      (fact) =>
        fact &&
        fact[1] !== null &&
        fact[1] !== undefined && <Fact key={fact[0]} name={fact[0]} value={fact[1]} />,
    )}
  </dl>
);

const Fact = ({ name, value }: { name: string; value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
