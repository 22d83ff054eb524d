import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { clockMillis } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { Failed } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { ShapeMark } from '../ui/status.tsx';
import style from './instance-timeline.module.css';
import { useLog } from './use-log.ts';

const TAIL = 30;

/** The last lines of the runtime, as they come. */
export function LogTail({ instance_id }: { instance_id: string }) {
  const { lines, isLive, error, retry } = useLog(instance_id, TAIL);
  const box = useRef<HTMLPreElement>(null);
  const last = lines.at(-1)?.id;
  useEffect(() => {
    if (last !== undefined) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [last]);
  return (
    <Panel
      title={
        <Link to="/instances/$instance_id/logs" params={{ instance_id }}>
          Log
        </Link>
      }
      aside={
        <span className={`hint ${style.live}`}>
          <ShapeMark shape={isLive ? 'disc' : 'ring'} tone={isLive ? 'good' : 'wait'} />
          {isLive ? 'live' : 'away'}
        </span>
      }
      bare
    >
      {error === undefined ? (
        <pre ref={box} className={style.log} tabIndex={0} aria-label="Last lines of the log">
          {lines.length === 0 && <span className="muted">It has said nothing yet.</span>}
          {lines.slice(-TAIL).map(({ id, at, line }) => (
            <span key={id}>
              <span className="muted">{clockMillis(at)}</span> {visible(line)}
              {'\n'}
            </span>
          ))}
        </pre>
      ) : (
        <Failed error={error} retry={retry} />
      )}
    </Panel>
  );
}
