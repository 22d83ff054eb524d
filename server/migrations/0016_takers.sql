-- oldest service: 0006
-- The taker of a conversation, since when a person answers in it, and the note on why the agent handed it over.

-- A user or an API key, by taken_by_kind; null for a colleague on the phone.
alter table conversations add column taken_by_id uuid;
-- null also where the mode `human` began before this migration.
alter table conversations add column human_since timestamptz;
-- The message of the kind `handover` with the reason.
alter table conversations add column handover_id uuid;
-- Lists of what people answer are short beside what agents do.
create index conversations_human_latest on conversations (tenant_id, last_message_at desc, id) where mode = 'human';

-- The API key that wrote a person's message.
alter table channel_messages add column key_id uuid;
