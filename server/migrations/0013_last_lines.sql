-- oldest service: 0002
-- The last line of a runtime that ended by itself, without secrets: events and tasks say it behind the reason.

alter table runtimes add column last_line text;
