import style from './chips.module.css';

interface ChipsProps<Value extends string> {
  label: string;
  /** Value and words. */
  of: readonly (readonly [Value, string])[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** One of a few. */
export const Chips = <Value extends string>({ label, of, chosen, onChoose }: ChipsProps<Value>) => (
  <div className={style.chips} role="group" aria-label={label}>
    {of.map(([value, words]) => (
      <button
        key={value}
        type="button"
        className={style.chip}
        aria-pressed={value === chosen}
        onClick={() => onChoose(value)}
      >
        {words}
      </button>
    ))}
  </div>
);

interface ChipSetProps {
  label: string;
  /** Value and words. */
  of: readonly (readonly [string, string])[];
  chosen: readonly string[];
  onToggle: (value: string) => void;
  disabled?: boolean;
}

/** Several of a few. */
export const ChipSet = ({ label, of, chosen, onToggle, disabled = false }: ChipSetProps) => (
  <div className={style.chips} role="group" aria-label={label}>
    {of.map(([value, words]) => (
      <button
        key={value}
        type="button"
        className={style.chip}
        aria-pressed={chosen.includes(value)}
        disabled={disabled}
        onClick={() => onToggle(value)}
      >
        {words}
      </button>
    ))}
  </div>
);

interface SentencesProps {
  label: string;
  of: readonly string[];
  onChoose: (text: string) => void;
}

/** Things to say by a click. */
export const Sentences = ({ label, of, onChoose }: SentencesProps) => (
  <div className={style.chips} role="group" aria-label={label}>
    {of.map((text) => (
      <button key={text} type="button" className={style.chip} onClick={() => onChoose(text)}>
        {text}
      </button>
    ))}
  </div>
);
