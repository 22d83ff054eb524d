import type { ReactNode } from 'react';
import style from './toolbar.module.css';

interface ToolbarProps {
  /** Narrow the list below: a search field, chips, a select. */
  children?: ReactNode;
  /** At the end; at most one of them primary. */
  actions?: ReactNode;
}

/** Stands above a list. */
export const Toolbar = ({ children, actions }: ToolbarProps) => (
  <div className={style.bar}>
    <div className={style.filters}>{children}</div>
    {actions && <div className={style.actions}>{actions}</div>}
  </div>
);
