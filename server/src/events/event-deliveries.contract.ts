import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { EventEndpointParams } from './event-endpoints.contract.ts';

const tag = 'Events';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
const DeliveryStatus = named('EventDeliveryStatus', Literals(DELIVERY_STATUSES));

export const EventDelivery = NamedObject('EventDelivery', {
  id: Uuid,
  event_id: about(Uuid, 'The `webhook-id` that the receiver gets, each time the same'),
  type: about(Type.String(), 'The kind of the event'),
  status: DeliveryStatus,
  attempts: about(Type.Integer(), 'Calls that ended'),
  next_attempt_at: about(Nullable(Timestamp), 'When it is tried next, at the earliest; null once it is over'),
  last_status: about(Nullable(Type.Integer()), 'The status of the last answer; null without one'),
  last_error: about(
    Nullable(Type.String()),
    'The status of the last answer, or timeout, unreachable, not_public, unreadable, overflow, switched_off',
  ),
  at: about(Timestamp, 'When it happened'),
});

export const listEventDeliveries = operation({
  id: 'list_event_deliveries',
  method: 'GET',
  path: '/v1/event-endpoints/{event_endpoint_id}/deliveries',
  tag,
  summary: 'List what was sent to an address, and what waits',
  description: 'Newest first; kept for 7 days.',
  credential: 'admin',
  scope: 'events:read',
  params: EventEndpointParams,
  query: query({ ...PageQuery, status: Type.Optional(DeliveryStatus) }),
  responses: { 200: PageOf(EventDelivery) },
});

export const redeliverEvent = operation({
  id: 'redeliver_event',
  method: 'POST',
  path: '/v1/event-endpoints/{event_endpoint_id}/deliveries/{delivery_id}/redeliver',
  tag,
  summary: 'Send an event once more',
  description: 'Now, and again for 24 hours until it is taken. 409 while the endpoint is switched off.',
  credential: 'admin',
  scope: 'events:write',
  params: params({
    ...EventEndpointParams.properties,
    delivery_id: about(Uuid, 'The `id` of list_event_deliveries'),
  }),
  responses: { 202: EventDelivery },
  failures: [409],
});

export const testEventEndpoint = operation({
  id: 'test_event_endpoint',
  method: 'POST',
  path: '/v1/event-endpoints/{event_endpoint_id}/test',
  tag,
  summary: 'Send a `ping` to an address',
  description: 'Delivered as any event is. 409 while the endpoint is switched off.',
  credential: 'admin',
  scope: 'events:write',
  params: EventEndpointParams,
  changesNothing: true,
  responses: { 202: EventDelivery },
  failures: [409],
});
