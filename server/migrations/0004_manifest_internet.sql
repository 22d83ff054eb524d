-- oldest service: 0002
-- Runtimes of a manifest that reach public addresses from a network of their own.
alter table manifests add column internet boolean not null default false;
