-- Changes that the audit log records.
call note_changes('identities', 'id');
