-- oldest service: 0006
-- Files that answers take.

create table uploads (
  id uuid primary key,
  tenant_id uuid not null,
  conversation_id uuid not null references conversations (id) on delete cascade,
  -- The answer that has taken it; null: none yet.
  message_id uuid references channel_messages (id) on delete cascade,
  mime_type text not null,
  -- In bytes.
  size integer not null,
  sealed_filename bytea,
  created_at timestamptz not null,
  unique (tenant_id, id)
);
create index uploads_conversation on uploads (conversation_id);
create index uploads_message on uploads (message_id) where message_id is not null;
create index uploads_unused on uploads (created_at) where message_id is null;
call enable_tenant_rls('uploads');
grant update (message_id), delete on uploads to acp_system;

-- The content in pieces, so that no more than one of them is in memory.
create table upload_pieces (
  tenant_id uuid not null,
  upload_id uuid not null,
  number integer not null,
  sealed_content bytea not null,
  primary key (upload_id, number),
  foreign key (tenant_id, upload_id) references uploads (tenant_id, id) on delete cascade
);
call enable_tenant_rls('upload_pieces');
