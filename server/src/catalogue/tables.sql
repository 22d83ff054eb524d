-- Recorded by the audit log.
call note_changes('primitives', 'id');
