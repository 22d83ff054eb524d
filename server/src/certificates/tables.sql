-- Changes that the audit log records.
call note_changes('certificates');
call note_changes('enrollment_tokens');
