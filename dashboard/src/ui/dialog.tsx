import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import style from './dialog.module.css';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';

interface DialogProps {
  title: ReactNode;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

const FIRST = `.${style.body} :is(input:not([type=hidden]), select, textarea, button, a[href])`;

/** Open as long as it is rendered. Escape and the backdrop close it; focus returns to where it was. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // A browser would begin at the button that closes.
    dialog.current?.querySelector<HTMLElement>(FIRST)?.focus();
  }, []);
  return (
    // The dialog itself is hit only beside its content, on the backdrop.
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      className={`${style.dialog} ${wide ? style.wide : ''}`}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <Button look="plain" small icon="close" aria-label="Close" onClick={() => dialog.current?.close()} />
      </header>
      <div className={style.body}>{children}</div>
    </dialog>
  );
}

export const DialogFoot = ({ children }: { children: ReactNode }) => (
  <div className={style.foot}>{children}</div>
);

interface ConfirmProps {
  title: ReactNode;
  /** Says what ends, and what cannot be undone. */
  children: ReactNode;
  action: string;
  /** To be typed first, for what ends for good. */
  phrase?: string | undefined;
  run: () => Promise<unknown>;
  onClose: () => void;
}

export function Confirm({ title, children, action, phrase, run, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const isReady = phrase === undefined || typed.trim() === phrase;
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <Form onSave={() => run().then(onClose)}>
        {(pending) => (
          <>
            {phrase !== undefined && (
              <TextField
                name="phrase"
                label={`Type ${phrase}`}
                mono
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
            <DialogFoot>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="bad" pending={pending} disabled={!isReady}>
                {action}
              </Button>
            </DialogFoot>
          </>
        )}
      </Form>
    </Dialog>
  );
}
