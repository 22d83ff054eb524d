-- oldest service: 0006
-- Pages tell of numbers and users: when the channel last asked with the verify token, when the last message came, and when
-- somebody last signed in to the tenant. Invitations get an id and their maker, so that they can be listed and taken back.

alter table channel_endpoints add column token_verified_at timestamptz, add column last_received_at timestamptz;
grant update (token_verified_at, last_received_at) on channel_endpoints to acp_system;

alter table memberships add column last_signed_in_at timestamptz;
grant update (last_signed_in_at) on memberships to acp_system;
update memberships m set last_signed_in_at = s.at
from (select user_id, tenant_id, max(created_at) as at from sessions group by 1, 2) s
where s.user_id = m.user_id and s.tenant_id = m.tenant_id;

alter table invitations add column id uuid not null default gen_random_uuid(),
  add column created_by_kind text, add column created_by_id uuid;
create unique index invitations_id on invitations (id);
create index invitations_open on invitations (tenant_id, created_at desc) where accepted_at is null;
