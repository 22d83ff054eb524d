-- oldest service: 0002
-- Tools that a server lists and that cannot be offered: [{tool, reason}].
alter table tool_servers add column problems jsonb not null default '[]';
