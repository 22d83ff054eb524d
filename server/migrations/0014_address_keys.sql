-- oldest service: 0002
-- The one spelling by which an address is found, whatever people have typed (identities/phone-numbers.ts). null until a job has
-- found it: in rows from before, and when the country of their customer changes.
alter table identities add column address_key text;
alter table staff_bindings add column address_key text;
create index identities_unkeyed on identities (id) where address_key is null;
create index staff_bindings_unkeyed on staff_bindings (id) where address_key is null;
-- Of two bindings from before that are for one number, the second keeps its own spelling as its key.
create unique index staff_bindings_key on staff_bindings (tenant_id, channel_type, address_key, customer_id);
