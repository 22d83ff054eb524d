-- True when the internal routes refuse a runtime that does not say for which sender it asks (contract, section 17).
alter table pin_policies add column require_sender_token boolean not null default false;
