-- A name is unique within its tenant, so that no tenant can claim one against the others.
alter table channel_endpoints
  drop constraint channel_endpoints_phone_number_id,
  add constraint channel_endpoints_phone_number_id unique (tenant_id, channel, phone_number_id),
  -- When its secret last signed a payload, exact to the minute, and the business accounts of what it signed, newest first.
  add column verified_at timestamptz,
  add column business_account_ids text[] not null default '{}';
create index channel_endpoints_number on channel_endpoints (channel, phone_number_id);
create index channel_endpoints_verified
  on channel_endpoints (channel, verified_at desc nulls last, created_at desc);
create index channel_endpoints_accounts on channel_endpoints using gin (business_account_ids);
grant update (verified_at, business_account_ids) on channel_endpoints to acp_system;

alter table websites
  drop constraint websites_hostname,
  add constraint websites_hostname unique (tenant_id, hostname);
