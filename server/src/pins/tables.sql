-- The tables of this room: pins, pin_policies, pin_tries, pin_sessions.

-- Recorded by the audit log.
call note_changes('pin_policies');
-- Attempts and locks are in the same row.
call note_changes('pins', null, 'insert or delete or update of pin_hash');
-- An admin's unlock deletes the row.
call note_changes('pin_tries', null, 'delete');
