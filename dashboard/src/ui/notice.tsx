import { ApiError, ConnectionError } from '@agent-control-plane/sdk';
import type { ReactNode } from 'react';
import type { Tone } from '../rules/status.ts';
import { Button } from './button.tsx';
import style from './notice.module.css';
import { ShapeMark } from './status.tsx';

const SHAPES = { wait: 'diamond', bad: 'triangle', act: 'disc', good: 'check', off: 'ring' } as const;

interface NoticeProps {
  tone: Tone;
  /** It was so before the page opened, so no screen reader is interrupted for it. */
  lasting?: boolean;
  children: ReactNode;
}

export const Notice = ({ tone, lasting = false, children }: NoticeProps) => (
  <div className={`${style.notice} ${style[tone]}`} role={tone === 'bad' && !lasting ? 'alert' : undefined}>
    <ShapeMark shape={SHAPES[tone]} tone={tone} />
    <div>{children}</div>
  </div>
);

interface Refusal {
  /** The words on what happened and, where the server said so, on what to do. */
  words: string;
  reference?: string | undefined;
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiError) return { words: error.detail, reference: error.requestId };
  if (error instanceof ConnectionError) {
    return { words: 'The service did not answer. Nothing is lost here: try again in a moment.' };
  }
  return { words: error instanceof Error ? error.message : String(error) };
}

/** In the place of what failed: the rest of the page works. */
export function Failed({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { words, reference } = refusalOf(error);
  return (
    <Notice tone="bad">
      {words}
      {reference && <span className="hint"> X-Request-Id {reference}</span>}{' '}
      {retry && (
        <Button small look="plain" onClick={retry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

/** One sentence, one button, and the command that does the same. */
export const Empty = ({
  children,
  action,
  command,
}: {
  children: ReactNode;
  action?: ReactNode;
  command?: string;
}) => (
  <div className={style.empty}>
    <p>{children}</p>
    {action}
    {command && <code className="mono">{command}</code>}
  </div>
);

const LINES = [1, 2, 3, 4, 5, 6];

/** Shows after 150 ms, so that what comes at once does not flicker. */
export const Skeleton = () => (
  <div className={style.skeleton} role="status" aria-label="Loading">
    {LINES.map((line) => (
      <i key={line} />
    ))}
  </div>
);
