const then = '2026-11-20T09:00:00.000Z';
const later = '2026-11-21T09:00:00.000Z';

/** Example values of fields about times and pages (see values.ts). */
export const timeExamples: Readonly<Record<string, unknown>> = {
  created_at: then,
  updated_at: then,
  at: then,
  last_message_at: then,
  received_at: then,
  requested_at: then,
  decided_at: '2026-11-20T09:12:00.000Z',
  finished_at: null,
  seen_at: '2026-11-20T09:00:00.000Z',
  retired_at: null,
  'Channels.finished_at': '2026-11-20T09:00:01.000Z',
  modified_at: then,
  expires_at: later,
  'API keys.expires_at': '2027-11-20T00:00:00.000Z',
  'Connections.expires_at': null,
  last_used_at: then,
  since: then,
  locked_until: null,
  not_before: '2026-11-20T08:55:00.000Z',
  not_after: '2028-11-19T08:55:00.000Z',
  renew_after: '2026-11-21T01:00:00.000Z',
  current_period_end: '2026-12-20T00:00:00.000Z',
  starts_at: '2026-11-23T07:00:00.000Z',
  ends_at: '2026-11-23T15:00:00.000Z',
  date: '2026-11-20',
  observed_on: '2026-11-01',
  'query.from': then,
  'query.to': later,

  page: 1,
  per_page: 20,
  total: 1,
  total_pages: 1,
};
