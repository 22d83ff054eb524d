import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Int, Nullable, query, Timestamp, Uuid } from '../platform/contract/shapes.ts';

const ActivityItem = NamedObject('ActivityItem', {
  at: about(Timestamp, 'When the quarter of an hour, or the hour, begins'),
  received: about(Type.Integer(), 'Messages from senders'),
  by_agent: about(Type.Integer(), 'Messages that agents wrote'),
  by_person: about(Type.Integer(), 'Messages that people wrote'),
  failed: about(Type.Integer(), 'Those of agents and people that could not be sent'),
});

export const Activity = NamedObject('Activity', {
  items: Type.Array(ActivityItem),
  answer_seconds_p50: about(
    Nullable(Type.Number()),
    'From a sender’s first unanswered message to the answer, in half of the cases at most; null without an answer',
  ),
});

export const getActivity = operation({
  id: 'get_activity',
  method: 'GET',
  path: '/v1/activity',
  tag: 'Overview',
  summary: 'How many messages came and went, and how soon they were answered',
  description:
    'By quarters of an hour, beyond 48 hours by hours, oldest first and with zeros; the last one is not over yet. The answer may ' +
    'be a minute old, but not older than a change that `/v1/live` hints at.',
  credential: 'tenant',
  scope: 'conversations:read',
  query: query({
    instance_id: about(Type.Optional(Uuid), 'Only messages of this instance'),
    hours: about(Int({ minimum: 1, maximum: 168, default: 24 }), 'How far back it goes'),
  }),
  responses: { 200: Activity },
});
