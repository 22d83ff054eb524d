-- The tables of this room: requirements.

-- Recorded by the audit log.
call note_changes('requirements');
