-- Changes that the audit log records.
call note_changes('pin_policies');
-- Tries and locks stand in the same row.
call note_changes('pins', null, 'insert or delete or update of pin_hash');
-- An admin's unlock deletes the row.
call note_changes('pin_tries', null, 'delete');
