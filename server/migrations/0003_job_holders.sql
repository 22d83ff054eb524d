-- oldest service: 0002
-- The host that runs a job: when it starts again, what it had when it was killed is due at once.

alter table jobs add column holder uuid;
