import Type from 'typebox';
import { operation } from '../platform/contract/operation.ts';
import { Literals, Nullable, Uuid } from '../platform/contract/shapes.ts';

export const CHANGE_KINDS = [
  'conversation',
  'approval',
  'instance',
  'task',
  'channel_message',
  'connection',
  'timesheet',
  'recipe',
  'customer',
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The data of one event. */
export const LiveChange = Type.Object({
  kind: Literals(CHANGE_KINDS),
  id: Uuid,
  instance_id: Type.Optional(Nullable(Uuid)),
  customer_id: Type.Optional(Nullable(Uuid)),
});

export const followChanges = operation({
  id: 'follow_changes',
  method: 'GET',
  path: '/v1/live',
  tag: 'Overview',
  summary: 'Hints that something changed',
  description:
    'Server-sent events `change`, of those kinds that the caller may read; never content. At most one a second for the same row, ' +
    'and the last one always comes. Nothing is replayed: read what is shown once more after a reconnect.',
  credential: 'tenant',
  scope: null,
  responses: { 200: LiveChange },
  produces: ['text/event-stream'],
  failures: [406],
});
