import style from './days.module.css';
import field from './field.module.css';

interface DaysProps {
  /** Calendar days as "2026-11-27"; empty without one. */
  from: string;
  to: string;
  onChange: (days: { from?: string | undefined; to?: string | undefined }) => void;
}

/** Narrows a list to the days between two, both included. */
export const Days = ({ from, to, onChange }: DaysProps) => (
  <div className={style.days} role="group" aria-label="Days">
    <input
      type="date"
      className={field.input}
      aria-label="First day"
      value={from}
      max={to || undefined}
      onChange={({ target }) => onChange({ from: target.value || undefined })}
    />
    <span className="muted">to</span>
    <input
      type="date"
      className={field.input}
      aria-label="Last day"
      value={to}
      min={from || undefined}
      onChange={({ target }) => onChange({ to: target.value || undefined })}
    />
  </div>
);
