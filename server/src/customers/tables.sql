-- The tables of this room: customers, websites, subscriptions.

-- Recorded by the audit log.
call note_changes('customers', 'id');
call note_changes('subscriptions', 'id');
call note_changes('websites', 'id');

-- Counted towards a limit.
call count_rows_of('customers', 'customers', 'true');
