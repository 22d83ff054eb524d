-- The tables of this room: ca_keys, certificates, enrollment_tokens.

-- Recorded by the audit log.
call note_changes('certificates');
call note_changes('enrollment_tokens');
