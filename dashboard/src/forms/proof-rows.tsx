import { useRef, useState } from 'react';
import { type ProofKind, proofOf, readProof } from '../rules/certificates.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { useFault } from '../ui/form.tsx';
import style from './proof-rows.module.css';

interface Row {
  key: number;
  name: string;
  ends: string;
  stored?: unknown;
}

/** Certificates or inductions of a person, each with the day on which it ends. */
export function useProofs(kind: ProofKind, stored: readonly unknown[]) {
  const next = useRef(stored.length);
  const [rows, setRows] = useState<readonly Row[]>(() =>
    stored.map((each, key) => ({ key, ...readProof(kind, each) })),
  );
  return {
    rows,
    add: () => setRows([...rows, { key: next.current++, name: '', ends: '' }]),
    remove: (key: number) => setRows(rows.filter((row) => row.key !== key)),
    change: (key: number, part: Partial<Row>) =>
      setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row))),
    value: () => rows.filter(({ name }) => name.trim() !== '').map((row) => proofOf(kind, row)),
  };
}

interface Props {
  /** The request field's. */
  field: string;
  title: string;
  /** One of them, as "certificate". */
  one: string;
  of: ReturnType<typeof useProofs>;
}

export function ProofRows({ field, title, one, of }: Props) {
  const fault = useFault(field);
  return (
    <fieldset className={style.proofs}>
      <legend>{title}</legend>
      {of.rows.map(({ key, name, ends }, at) => (
        <div key={key} className={style.row}>
          <TextField
            name={`${field}.${at}`}
            label={<span className="vh">{`Name of ${one} ${at + 1}`}</span>}
            placeholder="Name"
            value={name}
            onChange={({ target }) => of.change(key, { name: target.value })}
          />
          <TextField
            name={`${field}.${at}.expires_at`}
            label={<span className="vh">{`Last day of ${one} ${at + 1}`}</span>}
            type="date"
            value={ends}
            onChange={({ target }) => of.change(key, { ends: target.value })}
          />
          <Button
            look="plain"
            icon="trash"
            aria-label={`Take out ${one} ${at + 1}`}
            onClick={() => of.remove(key)}
          />
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={of.add}>
          {`Add ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`}
        </Button>
      </div>
      {fault !== undefined && (
        <p className="bad" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
