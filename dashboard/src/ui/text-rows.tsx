import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import { AreaField } from './field.tsx';
import style from './text-rows.module.css';

interface Row {
  key: number;
  text: string;
}

/** Texts that are added and taken out; `said` are those in which something stands. */
export function useTextRows(initial: readonly string[]) {
  const next = useRef(initial.length);
  const [rows, setRows] = useState<readonly Row[]>(() => initial.map((text, key) => ({ key, text })));
  return {
    rows,
    said: rows.map(({ text }) => text.trim()).filter((text) => text !== ''),
    add: () => setRows([...rows, { key: next.current++, text: '' }]),
    change: (key: number, text: string) =>
      setRows(rows.map((each) => (each.key === key ? { key, text } : each))),
    takeOut: (key: number) => setRows(rows.filter((each) => each.key !== key)),
  };
}

interface Props {
  /** The request field's. */
  name: string;
  /** The word for one of them: "rule". */
  one: string;
  of: ReturnType<typeof useTextRows>;
}

export const TextRows = ({ name, one, of: { rows, add, change, takeOut } }: Props) => (
  <>
    {rows.map(({ key, text }, at) => (
      <div key={key} className={style.row}>
        <AreaField
          name={`${name}.${at}`}
          label={`${one.charAt(0).toUpperCase()}${one.slice(1)} ${at + 1}`}
          rows={2}
          value={text}
          onChange={({ target }) => change(key, target.value)}
        />
        <Button
          look="plain"
          icon="trash"
          aria-label={`Take out ${one} ${at + 1}`}
          onClick={() => takeOut(key)}
        />
      </div>
    ))}
    <div>
      <Button icon="plus" onClick={add}>
        {rows.length === 0 ? `A first ${one}` : `Another ${one}`}
      </Button>
    </div>
  </>
);
