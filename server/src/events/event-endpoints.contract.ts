import Type, { type Static } from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  secret,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { EVENT_KINDS } from './events.contract.ts';

const tag = 'Events';

export const EVENT_FORMATS = ['standard', 'slack', 'teams'] as const;

const WantedEvent = named('WantedEvent', Literals([...EVENT_KINDS, '*']));

const MAX_OVERLAP_SECONDS = 30 * 86_400;
export const DEFAULT_OVERLAP_SECONDS = 86_400;

const EventEndpoint = NamedObject('EventEndpoint', {
  id: Uuid,
  url: about(
    Nullable(Type.String()),
    'Where events are sent; of chats the host alone, because the address is a credential. null where it cannot be deciphered',
  ),
  events: about(Type.Array(Type.String()), 'The kinds that it is told of; `*` is all'),
  description: about(Nullable(Type.String()), 'What it is for'),
  format: about(Type.String(), '`standard`, `slack` or `teams`'),
  is_active: about(Type.Boolean(), 'False: nothing is sent, and nothing is kept for it'),
  last_delivered_at: about(Nullable(Timestamp), 'When it last took an event'),
  last_error: about(
    Nullable(Type.String()),
    'Since then: the status of the last answer, or why there was none, or why it was switched off',
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const EventEndpointWithSecret = NamedObject('EventEndpointWithSecret', {
  ...EventEndpoint.properties,
  signing_secret: about(secret(Type.String()), 'Checks signatures (Standard Webhooks); shown once'),
});

/** Without user and password: they would be sent nowhere. */
const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+(?:[/?#].*)?$';

const settings = {
  url: about(
    Type.String({ format: 'http-url', maxLength: 2000, pattern: URL_PATTERN }),
    'An https URL of a public address; encrypted',
  ),
  events: about(
    Type.Array(WantedEvent, { minItems: 1, maxItems: EVENT_KINDS.length + 1 }),
    'The kinds that it is told of; `*` is all, those of later versions included',
  ),
  description: about(Clearable(Text(200)), 'What it is for'),
  format: about(Type.Optional(Literals(EVENT_FORMATS)), 'How events are written; default: standard'),
  is_active: about(Type.Optional(Type.Boolean()), 'False: nothing is sent, and nothing is kept for it'),
};

const EventEndpointCreate = NamedObject('EventEndpointCreate', settings);
const EventEndpointUpdate = named('EventEndpointUpdate', Type.Partial(Type.Object(settings)));
export type EventEndpointCreate = Static<typeof EventEndpointCreate>;
export type EventEndpointUpdate = Static<typeof EventEndpointUpdate>;

export const EventEndpointParams = params({ event_endpoint_id: about(Uuid, 'The event endpoint’s id') });

export const listEventEndpoints = operation({
  id: 'list_event_endpoints',
  method: 'GET',
  path: '/v1/event-endpoints',
  tag,
  summary: 'List who is told of events',
  description: 'Without their secrets.',
  credential: 'admin',
  scope: 'events:read',
  query: query(PageQuery),
  responses: { 200: PageOf(EventEndpoint) },
});

export const createEventEndpoint = operation({
  id: 'create_event_endpoint',
  method: 'POST',
  path: '/v1/event-endpoints',
  tag,
  summary: 'Send events to an address',
  description:
    'Each event is a POST, signed as Standard Webhooks says, and repeated for 24 hours until a 2xx. The secret is in the answer and nowhere else.',
  credential: 'admin',
  scope: 'events:write',
  body: EventEndpointCreate,
  responses: { 201: EventEndpointWithSecret },
});

export const getEventEndpoint = operation({
  id: 'get_event_endpoint',
  method: 'GET',
  path: '/v1/event-endpoints/{event_endpoint_id}',
  tag,
  summary: 'Get who is told of events',
  description: 'Without its secret.',
  credential: 'admin',
  scope: 'events:read',
  params: EventEndpointParams,
  responses: { 200: EventEndpoint },
});

export const updateEventEndpoint = operation({
  id: 'update_event_endpoint',
  method: 'PATCH',
  path: '/v1/event-endpoints/{event_endpoint_id}',
  tag,
  summary: 'Change where events go, and which',
  description: 'Switching it off fails what waits; switching it on begins with the next event.',
  credential: 'admin',
  scope: 'events:write',
  params: EventEndpointParams,
  body: EventEndpointUpdate,
  responses: { 200: EventEndpoint },
});

export const deleteEventEndpoint = operation({
  id: 'delete_event_endpoint',
  method: 'DELETE',
  path: '/v1/event-endpoints/{event_endpoint_id}',
  tag,
  summary: 'Send no more events to an address',
  description: 'Its deliveries go with it.',
  credential: 'admin',
  scope: 'events:delete',
  params: EventEndpointParams,
  responses: { 204: null },
});

export const rotateEventSecret = operation({
  id: 'rotate_event_secret',
  method: 'POST',
  path: '/v1/event-endpoints/{event_endpoint_id}/rotate-secret',
  tag,
  summary: 'Replace the secret that signs events',
  description: 'Both secrets sign during the overlap, of a day unless said otherwise.',
  credential: 'admin',
  scope: 'events:write',
  params: EventEndpointParams,
  body: NamedObject('EventSecretRotateRequest', {
    overlap_seconds: about(
      Clearable(Int({ minimum: 0, maximum: MAX_OVERLAP_SECONDS })),
      'How long the former secret signs as well',
    ),
  }),
  responses: { 200: EventEndpointWithSecret },
});
