-- Agents call tools through the gateway, and people decide about those that need an approval.

-- The hosts that a connection's credentials may be sent to by the gateway; none unless an admin names them.
alter table connections add column allowed_hosts text[] not null default '{}';

-- How the tool servers of an instance were found the last time.
create table tool_servers (
  instance_id uuid not null,
  name text not null,
  tenant_id uuid not null,
  ok boolean not null,
  -- How many tools it offers; null while it is down.
  tools integer,
  error text,
  at timestamptz not null,
  primary key (instance_id, name),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id) on delete cascade
);
call enable_tenant_rls('tool_servers');

-- A call of a tool that waits for a person, and what became of it.
create table approvals (
  id uuid primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid not null,
  conversation_id uuid references conversations (id) on delete set null,
  tool text not null,
  -- A keyed hash of tool and arguments: the same call waits once in a conversation.
  call_hash text not null,
  -- Arguments, result and comment, under the tenant's key. Gone with the contents of the conversation.
  sealed_content bytea,
  erase_at timestamptz,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected', 'expired', 'failed')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by jsonb,
  decided_at timestamptz,
  -- An approved call is claimed before it is made. Claimed and not finished, it was made or not: nobody knows.
  claimed_at timestamptz,
  finished_at timestamptz,
  -- When the agent was told, where a conversation is there to be told.
  told_at timestamptz,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
create unique index approvals_waiting on approvals (instance_id, customer_id, conversation_id, call_hash)
  nulls not distinct where status = 'waiting';
create index approvals_latest on approvals (tenant_id, requested_at desc, id);
create index approvals_customer on approvals (tenant_id, customer_id);
create index approvals_conversation on approvals (conversation_id) where conversation_id is not null;
create index approvals_erase on approvals (erase_at) where erase_at is not null;
create index approvals_over on approvals (coalesce(finished_at, decided_at)) where status <> 'waiting';
call enable_tenant_rls('approvals');
call note_changes('approvals', 'id', 'update');
grant update, delete on approvals to acp_system;

-- Contents go with their conversation, and what waits in it waits no more.
create function erase_approvals() returns trigger
  language plpgsql
  as $$
begin
  update approvals set sealed_content = null, erase_at = null, conversation_id = null,
    status = case status when 'waiting' then 'expired' else status end,
    finished_at = coalesce(finished_at, case status when 'waiting' then now() end)
  where conversation_id = old.id;
  return old;
end $$;
create trigger erase_approvals before delete on conversations for each row execute function erase_approvals();
