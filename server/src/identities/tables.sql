-- Recorded by the audit log.
call note_changes('identities', 'id');
