-- Calls of tools over MCP (specification, section 5): who, which tool, how it went. Never arguments, answers or the
-- words of an error. Each row's hash is keyed and covers the row before, so that none can be changed, left out or
-- moved unseen by whoever has the database without the key.
create table tool_calls (
  -- Of the chain below; a reference would cost as much as the rest of the row.
  tenant_id uuid not null,
  -- Counts each tenant's calls from 1, without a gap.
  seq bigint not null check (seq > 0),
  at timestamptz not null,
  tool text not null,
  -- null: the tool asks for none.
  scope text,
  decision text not null check (decision in ('allowed', 'denied', 'asked')),
  -- Why it was denied.
  reason text check (reason in ('scope', 'role', 'read_only', 'unknown_tool', 'declined')),
  -- As the same request over HTTP is answered; null while a person is asked first.
  status smallint,
  latency_ms integer not null,
  key_id uuid,
  user_id uuid,
  -- As the client says of itself.
  client_name text,
  client_version text,
  -- Keyed: equal arguments are recognised, and cannot be guessed at. null: such as have no canonical form.
  arguments_fingerprint bytea,
  request_id text not null,
  hash bytea not null,
  primary key (tenant_id, seq),
  check ((decision = 'denied') = (reason is not null)),
  check ((decision = 'asked') = (status is null))
);
call enable_tenant_rls('tool_calls');
revoke update, delete on tool_calls from acp_tenant;

-- Where each tenant's chain ends: without it, nobody would miss the last rows.
create table tool_call_chains (
  tenant_id uuid primary key references tenants (id),
  count bigint not null,
  -- Of the last row.
  hash bytea not null,
  -- Keyed, over the two above.
  seal bytea not null
);
call enable_tenant_rls('tool_call_chains');
revoke delete on tool_call_chains from acp_tenant;
