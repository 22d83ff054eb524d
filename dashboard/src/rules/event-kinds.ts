import type { WantedEvent } from '@agent-control-plane/sdk';

export type EventKind = Exclude<WantedEvent, '*'>;

/** In the order of a form. */
const WORDS: Record<EventKind, string> = {
  'instance.running': 'An agent runs',
  'instance.failed': 'An agent failed',
  'instance.upgraded': 'An agent was upgraded',
  'instance.terminated': 'An agent was ended',
  'conversation.started': 'A conversation began',
  'conversation.handover': 'An agent hands over to a person',
  'conversation.waiting': 'Somebody has waited for a person',
  'message.failed': 'A message could not be sent',
  'message.dead': 'A message reached no agent',
  'approval.requested': 'An approval is asked for',
  'approval.decided': 'An approval was decided',
  'connection.expired': 'A connection expired',
  'timesheet.submitted': 'A timesheet was submitted',
  'certification.expiring': 'A certificate ends soon',
  'budget.reached': 'A budget reached its mark',
  'rollout.stopped': 'A rollout was stopped',
  'rollout.succeeded': 'A rollout succeeded',
};

export const EVENT_KINDS = Object.keys(WORDS) as readonly EventKind[];

/** A kind that this page does not know is shown by its name. */
export const eventWords = (kind: string): string => {
  if (kind === 'ping') return 'A test';
  return kind === '*' ? 'Everything' : ((WORDS as Record<string, string>)[kind] ?? kind);
};
