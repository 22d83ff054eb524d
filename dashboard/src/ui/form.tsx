import { ApiError } from '@agent-control-plane/sdk';
import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import style from './field.module.css';
import { Failed } from './notice.tsx';

/** By the name of the field, the words of the server. */
type Faults = ReadonlyMap<string, string>;

const FaultsContext = createContext<Faults>(new Map());

/** The server's words about one field of the form around it. */
export const useFault = (name: string): string | undefined => use(FaultsContext).get(name);

/** All of them, by the names of their fields. */
export const useFaults = (): Faults => use(FaultsContext);

/** The text of a field; empty without one. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}

/** The text of a field, or null where nothing stands in it: what clears an optional field. */
export const textOrNull = (values: FormData, name: string): string | null =>
  textOf(values, name).trim() || null;

interface FormProps {
  /** Rejects with an ApiError, whose faults are shown at their fields. */
  onSave: (values: FormData) => Promise<unknown>;
  children: ReactNode | ((pending: boolean) => ReactNode);
  label?: string;
  className?: string | undefined;
  /** For a button that stands elsewhere on the page. */
  id?: string;
}

/** Native constraints first, then the server: each fault at its field, the first one focused, others above. */
export function Form({ onSave, children, label, className, id }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const faults = faultsOf(error);
  const elsewhere = error !== undefined && !isAtFields(faults, form.current);

  useEffect(() => {
    if (error === undefined) return;
    const named = [...faultsOf(error).keys()].map((name) => form.current?.elements.namedItem(name));
    const first = named.find((each) => each instanceof HTMLElement);
    if (first instanceof HTMLElement) first.focus();
  }, [error]);

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    try {
      await onSave(new FormData(event.currentTarget));
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };

  return (
    <form
      ref={form}
      id={id}
      onSubmit={(event) => void save(event)}
      aria-label={label}
      className={className ?? style.form}
    >
      <FaultsContext value={faults}>
        {elsewhere && <Failed error={error} />}
        {typeof children === 'function' ? children(pending) : children}
      </FaultsContext>
    </form>
  );
}

/** A fault of `body.mcp_servers.0.url` belongs to the field `mcp_servers.0.url`, or else to `mcp_servers`. */
function faultsOf(error: unknown): Faults {
  if (!(error instanceof ApiError)) return new Map();
  const found = new Map<string, string>();
  for (const { loc, msg } of error.faults) {
    const [, ...path] = loc.map(String);
    for (let size = path.length; size > 0; size--) {
      const name = path.slice(0, size).join('.');
      if (!found.has(name))
        found.set(name, size === path.length ? msg : `${path.slice(size).join('.')}: ${msg}`);
    }
  }
  return found;
}

const isAtFields = (faults: Faults, form: HTMLFormElement | null) =>
  faults.size > 0 &&
  form !== null &&
  [...faults.keys()].some((name) => form.elements.namedItem(name) !== null);
