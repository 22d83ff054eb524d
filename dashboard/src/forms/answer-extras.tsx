import { useId, useRef } from 'react';
import { visible } from '../rules/visible-text.ts';
import { bytes } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import style from './answer.module.css';
import type { Extras } from './use-answer.ts';

/** The channel takes as many. */
const MOST_BUTTONS = 3;
const TITLE_LENGTH = 20;
/** The types that the service takes; it judges by the bytes. */
const TAKEN = 'image/jpeg,image/png,video/mp4,video/3gpp,audio/*,.pdf,.docx,.xlsx,.pptx';

interface ExtrasProps {
  of: Extras;
  onChange: (extras: Extras) => void;
}

/** Begins buttons, or chooses a file. */
export function ExtraTools({ of: { titles, file }, onChange }: ExtrasProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      <Button
        small
        look="plain"
        disabled={file !== undefined || titles.length === MOST_BUTTONS}
        onClick={() => onChange({ titles: [...titles, ''], file: undefined })}
      >
        {titles.length === 0 ? 'Buttons' : 'One more'}
      </Button>
      <Button small look="plain" disabled={titles.length > 0} onClick={() => input.current?.click()}>
        File
      </Button>
      <label htmlFor={id} hidden>
        File to send
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        accept={TAKEN}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) onChange({ titles: [], file: chosen });
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

/** Below the answer: titles of buttons, or the file. */
export function ExtraRow({ of: { titles, file }, onChange }: ExtrasProps) {
  if (file)
    return (
      <p className={style.extras}>
        <span className="one">
          {visible(file.name)} <span className="hint">{bytes(file.size)}</span>
        </span>
        <Button small look="plain" onClick={() => onChange({ titles: [], file: undefined })}>
          Without it
        </Button>
      </p>
    );
  if (titles.length === 0) return null;
  const change = (nth: number, title: string) =>
    onChange({ titles: titles.map((each, index) => (index === nth ? title : each)), file });
  return (
    <div className={style.extras}>
      {titles.map((title, nth) => (
        <input
          // Buttons have no other identity than their place.
          key={`button ${nth}`}
          className={field.input}
          aria-label={`Button ${nth + 1}`}
          placeholder={`Button ${nth + 1}`}
          maxLength={TITLE_LENGTH}
          value={title}
          onChange={({ target }) => change(nth, target.value)}
        />
      ))}
      <Button small look="plain" onClick={() => onChange({ titles: [], file })}>
        No buttons
      </Button>
    </div>
  );
}
