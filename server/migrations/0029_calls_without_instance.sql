-- oldest service: 0006
-- Drafts of recipes call a model for no instance.

alter table llm_calls alter column instance_id drop not null;
alter table llm_days alter column instance_id drop not null;
