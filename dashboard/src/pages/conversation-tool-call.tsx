import { took } from '../rules/time.ts';
import { toolCallOf } from '../rules/tool-call.ts';
import { visible } from '../rules/visible-text.ts';
import { Icon } from '../ui/icon.tsx';
import { Said } from '../ui/said.tsx';
import { Values } from '../ui/values.tsx';
import style from './transcript.module.css';

/** One line, opened on demand. */
export function ToolCallLine({ of: element }: { of: unknown }) {
  const { name, arguments: args, latency_ms, result, error } = toolCallOf(element);
  const time = latency_ms === undefined ? '' : ` in ${took(latency_ms)}`;
  return (
    <details className={style.call}>
      <summary>
        <Icon name="tool" size={13} />
        <span className="mono">{visible(name)}</span>
        {error !== undefined ? (
          <span className="bad">failed{time}</span>
        ) : (
          time && <span>answered{time}</span>
        )}
      </summary>
      <div className={style.opened}>
        {args === undefined || (typeof args === 'object' && Object.keys(args).length === 0) ? (
          <p className="hint">It was called without arguments.</p>
        ) : (
          <Values of={typeof args === 'string' ? { arguments: args } : args} />
        )}
        {(result !== undefined || error !== undefined) && (
          <div className={style.result}>
            <p className="hint">{error === undefined ? 'It answered' : `It failed: ${visible(error)}`}</p>
            {result !== undefined && <Said text={visible(result)} />}
          </div>
        )}
        {result === undefined && error === undefined && <p className="hint">Its answer is not kept.</p>}
      </div>
    </details>
  );
}
