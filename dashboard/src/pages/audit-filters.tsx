import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import style from './settings-audit.module.css';

interface DaysProps {
  from: string | undefined;
  to: string | undefined;
  onChange: (days: { from?: string | undefined; to?: string | undefined }) => void;
}

export const Days = ({ from, to, onChange }: DaysProps) => (
  <>
    <Day label="From" value={from} onChange={(day) => onChange({ from: day })} />
    <Day label="To" value={to} onChange={(day) => onChange({ to: day })} />
  </>
);

interface DayProps {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

function Day({ label, value, onChange }: DayProps) {
  const id = useId();
  return (
    <span className={style.day}>
      <label htmlFor={id} className="hint">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className={style.date}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    </span>
  );
}

/** A filter that was chosen in a row; pressing it ends it. */
export const Only = ({ children, onEnd }: { children: string; onEnd: () => void }) => (
  <Button small onClick={onEnd} aria-label={`No longer only: ${children}`}>
    {children}
    <Icon name="close" />
  </Button>
);
