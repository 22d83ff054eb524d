import style from './table.module.css';

/** Rows of a table that something is done with together. */
export interface Selection {
  chosen: ReadonlySet<string>;
  onChoose: (keys: ReadonlySet<string>) => void;
  /** Names the box of a row to a screen reader. */
  nameOf: (key: string) => string;
}

export function AllBox({
  keys,
  selection: { chosen, onChoose },
}: {
  keys: readonly string[];
  selection: Selection;
}) {
  const isAll = keys.length > 0 && keys.every((key) => chosen.has(key));
  return (
    <th scope="col" className={style.box}>
      <input
        type="checkbox"
        aria-label="All rows of this page"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && keys.some((key) => chosen.has(key));
        }}
        onChange={() => onChoose(new Set(isAll ? [] : keys))}
      />
    </th>
  );
}

export function RowBox({
  of,
  selection: { chosen, onChoose, nameOf },
}: {
  of: string;
  selection: Selection;
}) {
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(of)) next.add(of);
    onChoose(next);
  };
  return (
    <td className={style.box}>
      <input type="checkbox" aria-label={nameOf(of)} checked={chosen.has(of)} onChange={toggle} />
    </td>
  );
}
