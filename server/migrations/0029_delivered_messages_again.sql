-- What 0023 was to forget stayed where the login is no superuser: forced, row-level security hid every row from it. The
-- role that sees all rows does it, because a change of the table's security would lock everybody else out meanwhile.
grant update (text, raw) on channel_messages to acp_system;
set local role acp_system;
update channel_messages set text = null, raw = '{}' where status = 'delivered' and (text is not null or raw <> '{}');
reset role;
revoke update (text, raw) on channel_messages from acp_system;
