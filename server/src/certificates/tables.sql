-- Recorded by the audit log.
call note_changes('certificates');
call note_changes('enrollment_tokens');
