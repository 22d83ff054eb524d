-- The tables of this room: connections, instance_grants.

-- Recorded by the audit log.
call note_changes('connections', 'id');
call note_changes('instance_grants');
