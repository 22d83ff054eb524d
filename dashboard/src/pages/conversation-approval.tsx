import type { Approval } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { DecideForm } from '../forms/approval-decide.tsx';
import { clock } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { ShapeMark, Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { ApprovalCall, ApprovalOutcome } from './approval-content.tsx';
import style from './transcript.module.css';

/** In the place where the agent asked: decided here while it waits, one line afterwards. */
export function ApprovalLine({ of: approval }: { of: Approval }) {
  const { status, tool, requested_at, expires_at, id } = approval;
  if (status !== 'waiting')
    return (
      <li className={`${style.message} ${style.agent}`}>
        <details className={style.call}>
          <summary>
            <Status of="approval" is={status} />
            <span className="mono">{visible(tool)}</span>
            <span className="num">{clock(requested_at)}</span>
          </summary>
          <div className={style.opened}>
            <ApprovalCall of={approval} />
            <ApprovalOutcome of={approval} />
          </div>
        </details>
      </li>
    );
  return (
    <li className={style.asking}>
      <header>
        <ShapeMark shape="diamond" tone="wait" size={10} />
        <p>
          The agent asks to call <b className="mono">{visible(tool)}</b>
        </p>
        <Link to="/approvals/$approval_id" params={{ approval_id: id }} className="hint">
          <Time at={expires_at} as="left" />
        </Link>
      </header>
      <div className={style.args}>
        <ApprovalCall of={approval} />
      </div>
      <DecideForm of={approval} />
    </li>
  );
}
