import style from './field.module.css';
import type { Choice } from './field.tsx';

interface SelectFilterProps {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChoose: (value: string) => void;
}

/** Narrows the list below to one of several; too many for chips. */
export const SelectFilter = ({ label, value, choices, onChoose }: SelectFilterProps) => (
  <select
    className={style.input}
    aria-label={label}
    value={value}
    onChange={({ target }) => onChoose(target.value)}
  >
    {choices.map(([each, words]) => (
      <option key={each} value={each}>
        {words}
      </option>
    ))}
  </select>
);
