-- Changes that the audit log records.
call note_changes('connections', 'id');
call note_changes('instance_grants');
