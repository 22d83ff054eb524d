import type { FieldDocs } from '../platform/contract/wording.ts';

export const eventsDocs: FieldDocs = {
  texts: {
    event_endpoint_id: 'The event endpoint’s id',
  },
  examples: {
    event_endpoint_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2a',
    delivery_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2b',
    event_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2c',
    'list_event_deliveries.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2b',
    'redeliver_event.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2b',
    'test_event_endpoint.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2b',
    'Events.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a2a',
    'Events.url': 'https://example.com/acp-events',
    'Events.events': ['conversation.handover', 'approval.requested'],
    'Events.description': 'Tickets of the help desk',
    'Events.format': 'standard',
    'Events.is_active': true,
    'Events.type': 'conversation.handover',
    'Events.status': 'delivered',
    'Events.next_attempt_at': null,
    'Events.last_status': 200,
    'Events.last_error': null,
    'Events.at': '2026-11-20T09:00:00.000Z',
    last_delivered_at: '2026-11-20T09:00:01.000Z',
    signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'rotate_event_secret.overlap_seconds': 86_400,
  },
};
