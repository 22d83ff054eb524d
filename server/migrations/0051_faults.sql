-- oldest service: 0050
-- Readiness asks the list of migrations whether this version of the service may run on the schema.
grant select on schema_migrations to acp_system;

-- Counts up with each start of a copy of the service, and while one runs. A copy keeps the last number in its data
-- directory too, so that it notices a database that was restored from a backup.
create table service_clock (
  is_only boolean primary key default true check (is_only),
  number bigint not null
);
insert into service_clock (number) values (0);
grant select, update on service_clock to acp_system;
