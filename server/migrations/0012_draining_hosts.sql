-- oldest service: 0002
-- Hosts that stop soon: other copies of the service give their runtimes no more turns.
alter table runtime_hosts add column is_draining boolean not null default false;
