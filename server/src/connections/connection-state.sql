-- Revoked, expired (also while the channel refuses the credentials) or active: the only place that decides it.
create or replace function connection_status(c connections, at timestamptz) returns text
  language sql immutable parallel safe
  as $$
  select case when c.revoked_at is not null then 'revoked'
              when c.expires_at <= at or c.refused_at is not null then 'expired' else 'active' end
  $$;
