/** Endpoints may ask for these. `ping` is sent by a test alone. */
export const EVENT_KINDS = [
  'instance.running',
  'instance.failed',
  'instance.upgraded',
  'instance.terminated',
  'conversation.started',
  'conversation.handover',
  'conversation.waiting',
  'message.failed',
  'message.dead',
  'approval.requested',
  'approval.decided',
  'connection.expired',
  'timesheet.submitted',
  'certification.expiring',
  'budget.reached',
  'rollout.stopped',
  'rollout.succeeded',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const PING = 'ping';

/** Ids, states, numbers and our own words: nothing that people wrote, and nobody's name or address. */
export interface EventData {
  instance_id?: string;
  hostname?: string;
  recipe_id?: string;
  recipe_name?: string;
  revision?: number;
  customer_id?: string;
  conversation_id?: string;
  channel?: string;
  message_id?: string;
  approval_id?: string;
  tool?: string;
  decision?: 'approve' | 'reject';
  connection_id?: string;
  provider?: string;
  timesheet_id?: string;
  person_id?: string;
  certification_type?: string;
  expires_at?: string;
  rollout_id?: string;
  percent?: number;
  reason?: string;
}

export interface HappenedEvent {
  id: string;
  type: EventKind | typeof PING;
  at: Date;
  data: EventData;
}
