-- The tables of this room: event_deliveries, event_endpoints, events, told_events.

-- Changes that the audit log records. Deliveries change by people only when they are sent again.
call note_changes('event_endpoints', 'id');
call note_changes('event_deliveries', 'id', 'update');

-- Rows that count towards a limit.
call count_rows_of('event_endpoints', 'event_endpoints', 'true');
