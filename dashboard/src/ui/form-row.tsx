import { type ReactNode, useId } from 'react';
import field from './field.module.css';
import { useFault } from './form.tsx';
import style from './form-row.module.css';

interface RowProps {
  /** The request field's, also in the server's faults. */
  name: string;
  label: string;
  hint?: ReactNode;
  /** Not saved yet. */
  changed?: boolean;
}

interface Control {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  className: string | undefined;
}

/** The label stands beside its control, or above it on a phone; a rule at its left marks what is not saved. */
export function FormRow({
  name,
  label,
  hint,
  changed = false,
  children,
}: RowProps & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const fault = useFault(name);
  const described = fault !== undefined || hint !== undefined ? `${id}-about` : undefined;
  return (
    <div className={style.row} data-changed={changed || undefined}>
      <div className={style.side}>
        <label htmlFor={id} className={field.label}>
          {label}
        </label>
        {hint !== undefined && (
          <p id={fault === undefined ? described : undefined} className="hint">
            {hint}
          </p>
        )}
      </div>
      <div className={style.main}>
        {children({
          id,
          name,
          'aria-describedby': described,
          'aria-invalid': fault === undefined ? undefined : true,
          className: field.input,
        })}
        <RowFault id={described} words={fault} />
      </div>
    </div>
  );
}

/** Several controls under one label. */
export function FormGroup({
  name,
  label,
  hint,
  changed = false,
  children,
}: RowProps & { children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={style.row} data-changed={changed || undefined}>
      <div className={style.side}>
        <span id={id} className={field.label}>
          {label}
        </span>
        {hint !== undefined && <p className="hint">{hint}</p>}
      </div>
      <div className={style.main}>
        {children}
        <RowFault id={undefined} words={useFault(name)} />
      </div>
    </div>
  );
}

const RowFault = ({ id, words }: { id: string | undefined; words: string | undefined }) =>
  words !== undefined && (
    <p id={id} className={field.fault} role="alert">
      {words}
    </p>
  );
