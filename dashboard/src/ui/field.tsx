import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import style from './field.module.css';
import { useFault } from './form.tsx';

interface Named {
  /** The request field's, also in the server's faults. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Only where most fields of the form have to be filled. */
  optional?: boolean;
}

interface Wired {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  className: string | undefined;
}

/** Label, control, then the server's words or the hint. */
export function Field({
  name,
  label,
  hint,
  optional,
  children,
}: Named & { children: (control: Wired) => ReactNode }) {
  const id = useId();
  const fault = useFault(name);
  const described = fault !== undefined || hint !== undefined ? `${id}-about` : undefined;
  return (
    <div className={style.field}>
      <label htmlFor={id} className={style.label}>
        {label}
        {optional && <span className={style.optional}> (optional)</span>}
      </label>
      {children({
        id,
        name,
        'aria-describedby': described,
        'aria-invalid': fault === undefined ? undefined : true,
        className: style.input,
      })}
      {fault !== undefined ? (
        <p id={described} className={style.fault} role="alert">
          {fault}
        </p>
      ) : (
        hint !== undefined && (
          <p id={described} className="hint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

type Without<Props> = Omit<Props, 'name' | 'className' | 'id'>;
type TextProps = Named & Without<InputHTMLAttributes<HTMLInputElement>> & { mono?: boolean };

export const TextField = ({ name, label, hint, optional, mono, ...rest }: TextProps) => (
  <Field name={name} label={label} hint={hint} optional={optional ?? false}>
    {(control) => (
      <input type="text" autoComplete="off" {...rest} {...control} className={classOf(control, mono)} />
    )}
  </Field>
);

type AreaProps = Named & Without<TextareaHTMLAttributes<HTMLTextAreaElement>> & { mono?: boolean };

export const AreaField = ({ name, label, hint, optional, mono, ...rest }: AreaProps) => (
  <Field name={name} label={label} hint={hint} optional={optional ?? false}>
    {(control) => <textarea rows={3} {...rest} {...control} className={classOf(control, mono)} />}
  </Field>
);

const classOf = ({ className }: Wired, mono: boolean | undefined) => `${className}${mono ? ' mono' : ''}`;

export type Choice = readonly [value: string, words: string];

type SelectProps = Named & Without<SelectHTMLAttributes<HTMLSelectElement>> & { choices: readonly Choice[] };

export const SelectField = ({ name, label, hint, optional, choices, ...rest }: SelectProps) => (
  <Field name={name} label={label} hint={hint} optional={optional ?? false}>
    {(control) => (
      <select {...rest} {...control}>
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type CheckProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'children'> & {
  children: ReactNode;
  kind?: 'checkbox' | 'radio';
};

export const Check = ({ children, kind = 'checkbox', ...rest }: CheckProps) => (
  <label className={style.check}>
    <input type={kind} {...rest} />
    <span>{children}</span>
  </label>
);

export const Pair = ({ children }: { children: ReactNode }) => <div className={style.pair}>{children}</div>;

export const FormFoot = ({ children }: { children: ReactNode }) => (
  <div className={style.foot}>{children}</div>
);
