-- Changes that the audit log records.
call note_changes('customers', 'id');
call note_changes('subscriptions', 'id');
call note_changes('websites', 'id');

-- Rows that count towards a limit.
call count_rows_of('customers', 'customers', 'true');
