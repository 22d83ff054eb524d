-- The tables of this room: identities, identity_addresses.

-- Recorded by the audit log.
call note_changes('identities', 'id');
