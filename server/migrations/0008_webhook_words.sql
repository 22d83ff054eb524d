-- oldest service: 0002
-- Everything that the channel's webhook says of a message and its conversation.

-- When it was written, as the channel tells; null where that is the arrival.
alter table channel_messages add column sent_at timestamptz;

-- A group is read and answered by people alone.
alter table conversations add column kind text not null default 'direct' check (kind in ('direct', 'group'));
-- By whom the mode `human` began: `channel` for a colleague on the phone.
alter table conversations add column taken_by_kind text check (taken_by_kind in ('user', 'key', 'channel'));
