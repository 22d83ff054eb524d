-- The tables of this room: channel_endpoints, opt_outs, number_pauses.

-- Changes that the audit log records.
call note_changes('channel_endpoints', 'id');

-- Rows that count towards a limit.
call count_rows_of('channel_endpoints', 'channel_endpoints', 'true');
