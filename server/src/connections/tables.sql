-- Recorded by the audit log.
call note_changes('connections', 'id');
call note_changes('instance_grants');
