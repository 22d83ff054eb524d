-- The tables of this room: tenants, tenant_counts, users, memberships, sessions, login_networks, invitations,
-- password_resets, api_keys, sign_in_links, stored_bytes, stored_changes.

-- Recorded by the audit log.
call note_changes('tenants', 'id', 'insert or update');
call note_changes('users', 'id', 'insert or update');
call note_changes('memberships');
call note_changes('invitations');
call note_changes('password_resets');
call note_changes('sign_in_links');
call note_changes('api_keys', 'id');

-- Counted towards limits.
call count_rows_of('api_keys', 'keys', 'revoked_at is null');
call count_rows_of('memberships', 'users', 'true');
create or replace trigger count_leaving after update of revoked_at on api_keys for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function count_leaving_row('keys');
