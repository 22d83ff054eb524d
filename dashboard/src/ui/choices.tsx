import { visible } from '../rules/visible-text.ts';
import chips from './chips.module.css';

interface Choice {
  id: string;
  title: string;
  description?: string | null | undefined;
}

interface ChoicesProps {
  buttons: readonly Choice[];
  options: { items: readonly Choice[] } | null;
  /** Without it they are shown alone. */
  onChoose?: ((id: string) => void) | undefined;
}

/** The choices of a message, to tap on or to look at. */
export function Choices({ buttons, options, onChoose }: ChoicesProps) {
  const all = buttons.length > 0 ? buttons : (options?.items ?? []);
  if (all.length === 0) return null;
  return (
    <ul className={chips.chips} aria-label="Choices">
      {all.map((choice) => (
        <li key={choice.id}>
          {onChoose ? (
            <button type="button" className={chips.chip} onClick={() => onChoose(choice.id)}>
              <Words of={choice} />
            </button>
          ) : (
            <span className={chips.chip}>
              <Words of={choice} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const Words = ({ of: { title, description } }: { of: Choice }) => (
  <>
    {visible(title)}
    {description && <span className="hint">{visible(description)}</span>}
  </>
);
