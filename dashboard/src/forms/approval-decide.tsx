import type { Approval } from '@agent-control-plane/sdk';
import { useRef, useState } from 'react';
import { useWrite } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, textOrNull } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';
import style from './approval-decide.module.css';

interface DecideProps {
  of: Approval;
  /** Before it is sent: where the page has to stay. */
  onDecide?: () => void;
  /** Beside it the page has no other primary button. */
  isMain?: boolean;
}

/** Approve and call, or reject. Enter in the comment does neither: which of the two is a click of its own. */
export function DecideForm({ of: { id: approval_id, tool }, onDecide, isMain = false }: DecideProps) {
  const { run, pending } = useWrite('decide_approval');
  const decision = useRef<'approve' | 'reject'>('reject');
  const [chosen, setChosen] = useState<'approve' | 'reject'>();
  const decide = async (values: FormData) => {
    onDecide?.();
    setChosen(decision.current);
    const body = { decision: decision.current, comment: textOrNull(values, 'comment') };
    const { status } = await run({ path: { approval_id }, body });
    say(WORDS[status]?.(tool) ?? 'It was decided.');
  };
  const button = (which: 'approve' | 'reject') => ({
    type: 'submit' as const,
    pending: pending && chosen === which,
    disabled: pending,
    onClick: () => {
      decision.current = which;
    },
  });
  return (
    <Form onSave={decide} label={`Decide about ${tool}`} className={style.decide}>
      <div
        className={style.comment}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        role="presentation"
      >
        <TextField
          name="comment"
          label={<span className="vh">Comment for the agent</span>}
          placeholder="Comment for the agent, if any"
          maxLength={2000}
        />
      </div>
      <Button look="bad" {...button('reject')}>
        Reject
      </Button>
      <Button look={isMain ? 'primary' : undefined} {...button('approve')}>
        Approve and call
      </Button>
    </Form>
  );
}

const WORDS: Partial<Record<Approval['status'], (tool: string) => string>> = {
  approved: (tool) => `${tool} was called.`,
  rejected: () => 'Rejected. The agent is told.',
  failed: (tool) => `${tool} was approved, but the call failed.`,
};
