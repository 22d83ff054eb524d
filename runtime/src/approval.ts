import { at, textOf } from './json.ts';
import type { Language } from './language.ts';
import { textContent } from './mcp-result.ts';
import type { SentenceKey } from './sentences/en.ts';

/** A tool's call needed this approval. */
export interface ApprovalOutcome {
  tool: string;
  status: string;
  result: string;
  comment: string | undefined;
}

export function approvalOf(value: unknown): ApprovalOutcome | undefined {
  const [tool, status] = [textOf(at(value, 'tool')), textOf(at(value, 'status'))];
  if (tool === undefined || status === undefined) return undefined;
  return { tool, status, result: textContent(at(value, 'result')), comment: textOf(at(value, 'comment')) };
}

const outcomes: Readonly<Record<string, SentenceKey>> = {
  approved: 'approval_approved',
  rejected: 'approval_rejected',
  expired: 'approval_expired',
  failed: 'approval_failed',
};

/** For the sender, without a model. */
export const sentenceOf = ({ tool, status, comment }: ApprovalOutcome, { say }: Language): string =>
  say(outcomes[status] ?? 'approval_other', {
    tool,
    status,
    comment: comment === undefined ? '' : `: ${comment}`,
  });

/** For the model, which tells the sender. */
export const noteOf = (outcome: ApprovalOutcome): string =>
  `[The call of ${outcome.tool} that waited for a person is ${outcome.status}.${
    outcome.comment === undefined ? '' : ` Comment: ${outcome.comment}.`
  }${outcome.result === '' ? '' : ` Result: ${outcome.result}`} Tell the sender in one sentence.]`;
