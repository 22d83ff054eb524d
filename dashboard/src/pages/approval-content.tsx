import type { Approval } from '@agent-control-plane/sdk';
import { useRead } from '../queries.ts';
import { dayAndClock } from '../rules/time.ts';
import { isFailedResult, resultText } from '../rules/tool-call.ts';
import { visible } from '../rules/visible-text.ts';
import { Said } from '../ui/said.tsx';
import { useNow } from '../ui/time.tsx';
import { Values } from '../ui/values.tsx';
import style from './approvals.module.css';

/** All that the tool is called with. */
export function ApprovalCall({ of: { arguments: args } }: { of: Approval }) {
  if (args === null) return <p className="hint">Its arguments were erased.</p>;
  if (Object.keys(args).length === 0) return <p className="hint">It is called without arguments.</p>;
  return <Values of={args} />;
}

const ENDS: Record<Exclude<Approval['status'], 'waiting'>, string> = {
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Nobody decided in time, so it was not called',
  failed: 'Approved, but the call failed, or nobody knows whether it was made',
};

/** A call takes seconds; afterwards an answer that is missing was erased. */
const CALL_MS = 150_000;
const AGAIN_MS = 2000;

function NoResult({ of: { id: approval_id, decided_at } }: { of: Approval }) {
  const isRecent = useNow() - Date.parse(decided_at ?? '') < CALL_MS;
  useRead('get_approval', { path: { approval_id } }, isRecent ? { every: AGAIN_MS } : { enabled: false });
  return <p className="hint">{isRecent ? 'The call is under way.' : 'Its answer was erased.'}</p>;
}

/** How it ended: by whom, the comment, the answer of the tool. */
export function ApprovalOutcome({ of }: { of: Approval }) {
  const { status, decided_by, decided_at, comment, result, expires_at } = of;
  if (status === 'waiting') return null;
  return (
    <div className={style.outcome}>
      <p>
        {ENDS[status]}
        {decided_by && ` by ${visible(decided_by.name ?? 'somebody who is gone')}`},{' '}
        {dayAndClock(decided_at ?? expires_at)}.
      </p>
      {comment && <blockquote className={`said ${style.comment}`}>{visible(comment)}</blockquote>}
      {result !== null && (
        <div>
          <p className={isFailedResult(result) ? 'bad' : 'hint'}>
            {isFailedResult(result) ? 'The tool said that it failed' : 'The tool answered'}
          </p>
          <div className={style.result}>
            <Said text={visible(resultText(result))} />
          </div>
        </div>
      )}
      {status === 'approved' && result === null && <NoResult of={of} />}
    </div>
  );
}
