import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import style from './copy.module.css';

/** Where pages have no clipboard (plain HTTP to a name), the text is selected instead. */
export function Copied({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('Copy');
  const copy = async () => {
    const clipboard = navigator.clipboard as Clipboard | undefined;
    try {
      if (!clipboard) throw new Error('no clipboard');
      await clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setSaid('Selected');
    }
  };
  return (
    <span className={style.copied}>
      <code ref={code} className="mono">
        {text}
      </code>
      <Button small icon="copy" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        {said}
      </Button>
    </span>
  );
}

interface SecretProps {
  secret: string;
  label: string;
  /** Instead of what holds for passwords and keys. */
  children?: ReactNode;
}

/** Shows a secret, for the only time. */
export const SecretOnce = ({ secret, label, children }: SecretProps) => (
  <div className={style.secret}>
    <Copied text={secret} label={label} />
    <p className="hint">{children ?? 'It is shown this once. Keep it where you keep passwords.'}</p>
  </div>
);

/** The same in a terminal. */
export const Command = ({ children }: { children: string }) => (
  <details className={style.command}>
    <summary className="hint">The same in a terminal</summary>
    <Copied text={children} label="the command" />
  </details>
);
