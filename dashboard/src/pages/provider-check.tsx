import type { LlmProviderCheck } from '@agent-control-plane/sdk';
import { took } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { refusalOf } from '../ui/notice.tsx';
import { Signed } from '../ui/status.tsx';

interface Props {
  pending: boolean;
  answer: LlmProviderCheck | undefined;
  error: unknown;
}

/** How a provider answered when it was asked just now. */
export function CheckResult({ pending, answer, error }: Props) {
  if (pending) return <Signed sign={{ word: 'is asked', shape: 'arc', tone: 'act' }} />;
  if (error) return <span className="bad">{refusalOf(error).words}</span>;
  if (!answer) return <span className="muted">not asked yet</span>;
  return answer.ok ? (
    <Signed sign={{ word: `answers, ${took(answer.latency_ms)}`, shape: 'disc', tone: 'good' }} />
  ) : (
    <span>
      <Signed sign={{ word: 'fails', shape: 'triangle', tone: 'bad' }} />
      {answer.error && <span className="hint"> {visible(answer.error)}</span>}
    </span>
  );
}
