-- oldest service: 0002
-- Limits of the channel on what one person gets, and senders that repeat themselves.

-- Outgoing: the pause for its recipient, and how many seconds the last one had.
alter table channel_messages add column pair_until timestamptz, add column pair_seconds integer;

-- The last text of a conversation's sender, and its repeats in a row after an answer to each: the agent keeps a loop going.
create table sender_repeats (
  tenant_id uuid not null,
  conversation_id uuid primary key references conversations (id) on delete cascade,
  -- A keyed hash of the text; null after a tap.
  text_hash bytea,
  -- The last times that it came.
  times timestamptz[] not null,
  -- The number of the burst that had it last.
  number bigint not null,
  -- It is not forwarded any more.
  is_loop boolean not null
);
call enable_tenant_rls('sender_repeats');
