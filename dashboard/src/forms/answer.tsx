import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Failed } from '../ui/notice.tsx';
import style from './answer.module.css';
import { ExtraRow, ExtraTools } from './answer-extras.tsx';
import { useAnswer } from './use-answer.ts';

interface AnswerProps {
  conversation_id: string;
  /** The name of whoever reads it. */
  to: string;
  focuses: boolean;
  onTemplate?: (() => void) | undefined;
}

/** Keys of an input method that composes a character; Safari tells by the code alone. */
const isComposing = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** A free text, with buttons or a file: Enter sends it, with Shift it begins a line. */
export function AnswerForm({ conversation_id, to, focuses, onTemplate }: AnswerProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, change, extras, setExtras, send, pending, error } = useAnswer(conversation_id);
  useEffect(() => {
    if (focuses) field.current?.focus();
  }, [focuses]);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    void send().then(() => field.current?.focus());
  };
  return (
    <form className={style.answer} onSubmit={submit}>
      {error ? <Failed error={error} /> : null}
      <div className={style.box}>
        <label htmlFor={id} className="vh">
          Answer {to}
        </label>
        <textarea
          ref={field}
          id={id}
          rows={2}
          dir="auto"
          placeholder={`Answer ${to}…`}
          value={text}
          readOnly={pending}
          onChange={({ target }) => change(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) submit(event);
          }}
        />
        <ExtraRow of={extras} onChange={setExtras} />
        <div className={style.tools}>
          <ExtraTools of={extras} onChange={setExtras} />
          {onTemplate && (
            <Button small look="plain" onClick={onTemplate}>
              Template
            </Button>
          )}
          <span className={`hint ${style.keys}`}>
            <kbd>↵</kbd> sends, <kbd>⇧ ↵</kbd> new line
          </span>
          <Button type="submit" small look="primary" icon="send" pending={pending}>
            Send
          </Button>
        </div>
      </div>
    </form>
  );
}
