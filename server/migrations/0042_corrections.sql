-- Records can be corrected and erased.

-- A customer's rows go with the customer. An instance and its deployments stay as a record of what ran.
alter table subscriptions drop constraint subscriptions_tenant_id_customer_id_fkey,
  add constraint subscriptions_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade;
alter table websites drop constraint websites_tenant_id_customer_id_fkey,
  add constraint websites_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade;
alter table connections drop constraint connections_tenant_id_customer_id_fkey,
  add constraint connections_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade;
alter table instance_grants drop constraint instance_grants_connection_id_fkey,
  add constraint instance_grants_connection_id_fkey
    foreign key (connection_id) references connections (id) on delete cascade;
create index instance_grants_connection on instance_grants (connection_id);
alter table identities drop constraint identities_tenant_id_customer_id_fkey,
  add constraint identities_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade;
alter table pins drop constraint pins_tenant_id_customer_id_fkey,
  add constraint pins_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade;
alter table staff drop constraint staff_tenant_id_customer_id_fkey,
  add constraint staff_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade;
alter table instances alter column customer_id drop not null,
  drop constraint instances_tenant_id_customer_id_fkey,
  add constraint instances_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id);
alter table deployments alter column customer_id drop not null,
  drop constraint deployments_tenant_id_customer_id_fkey,
  add constraint deployments_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id);

-- Hours stay when the person or the shift is deleted. They are counted in the order in which they were submitted.
alter table timesheets alter column person_id drop not null,
  drop constraint timesheets_tenant_id_customer_id_person_id_fkey,
  drop constraint timesheets_shift_id_fkey,
  add constraint timesheets_tenant_id_customer_id_fkey
    foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  add constraint timesheets_tenant_id_customer_id_person_id_fkey
    foreign key (tenant_id, customer_id, person_id) references staff (tenant_id, customer_id, id)
    on delete set null (person_id),
  add constraint timesheets_shift_id_fkey foreign key (shift_id) references shifts (id) on delete set null,
  add column number bigint generated always as identity;
create index timesheets_of_shift on timesheets (shift_id) where shift_id is not null;

-- The name of a person in the system that staff are imported from.
alter table staff add column external_id text,
  add constraint staff_external_id unique (tenant_id, customer_id, external_id);

-- A person may work for several customers from one address.
alter table staff_bindings drop constraint staff_bindings_address,
  add constraint staff_bindings_address unique (tenant_id, channel_type, channel_address, customer_id);

-- An identity whose address is corrected is found by the new one alone: aliases were of the former sender.
create function move_identity_address() returns trigger
  language plpgsql
  as $$
begin
  delete from identity_addresses where identity_id = new.id;
  insert into identity_addresses (tenant_id, channel, external_id, identity_id)
  values (new.tenant_id, new.channel, new.external_id, new.id);
  return null;
end $$;
create trigger move_identity_address after update of channel, external_id on identities
  for each row when ((old.channel, old.external_id) is distinct from (new.channel, new.external_id))
  execute function move_identity_address();

-- Erases what no foreign key reaches. Staff are locked first: a change of one of them holds the row and waits for its terms.
create function erase_customer() returns trigger
  language plpgsql
  as $$
begin
  perform from staff where tenant_id = old.tenant_id and customer_id = old.id order by id for update;
  delete from staff_terms where tenant_id = old.tenant_id and customer_id = old.id;
  delete from staff_sets where tenant_id = old.tenant_id and customer_id = old.id;
  -- On a shared instance, an address may speak for another customer's people as well.
  delete from channel_messages m using instances i
  where m.tenant_id = old.tenant_id and i.id = m.instance_id and (
    i.hosting_mode = 'dedicated' and i.customer_id = old.id
    or i.hosting_mode = 'shared'
    and i.id in (select instance_id from deployments where tenant_id = old.tenant_id and customer_id = old.id)
    and (m.channel, ltrim(m.external_id, '+')) in (
      select a.channel, ltrim(a.external_id, '+')
      from identity_addresses a join identities n on n.id = a.identity_id
      where n.tenant_id = old.tenant_id and n.customer_id = old.id
      union
      select channel_type, ltrim(channel_address, '+') from staff_bindings
      where tenant_id = old.tenant_id and customer_id = old.id
      except
      select channel_type, ltrim(channel_address, '+') from staff_bindings
      where tenant_id = old.tenant_id and customer_id <> old.id
    ));
  -- A shared instance that serves others runs by the configuration of the deployment that made it.
  update deployments d set resolved_config = '{}', instance_overrides = null
  where d.tenant_id = old.tenant_id and d.customer_id = old.id and not exists (
    select from instances i join tasks t on t.instance_id = i.id
    where i.id = d.instance_id and i.status <> 'terminated' and t.deployment_id = d.id and t.kind = 'provision');
  update instances set resolved_config = '{}', provenance = '{}', sealed_message_secret = null
  where tenant_id = old.tenant_id and customer_id = old.id and status = 'terminated';
  return old;
end $$;
create trigger erase_customer before delete on customers for each row execute function erase_customer();

-- As in 0034, with terms of the kind unlapsed: they leave out who has had a certification of the type and has none that
-- is valid.
create or replace function search_staff(
  customer uuid, kinds text[], labels text[], moment timestamptz, page_size integer, skipped integer)
  returns table (person_id uuid, total bigint)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  wanted text[] := array(
    select '' union
    select staff_term(kind, label) from unnest(kinds, labels) w (kind, label) where kind <> 'unlapsed');
  watched text[] := array(
    select distinct staff_term('certification', label) from unnest(kinds, labels) w (kind, label) where kind = 'unlapsed');
  utc timestamp := moment at time zone 'UTC';
  here timestamp := (select moment at time zone c.timezone from customers c where c.id = customer);
  -- A term that ends in a later month is valid by both clocks; of this month, ends_at tells.
  this_month date := date_trunc('month', greatest(utc, here));
  rarest text;
  blocks integer[];
  sets bit(4096)[];
  found bigint;
begin
  with valid (term, block, bits) as (
    select s.term, s.block, s.bits from staff_sets s
    where s.customer_id = customer and s.term = any (wanted || watched) and s.ends_in > this_month
    union all
    select t.term, t.number / 4096, set_bit(B'0'::bit(4096), t.number % 4096, 1) from staff_terms t
    where t.customer_id = customer and t.term = any (wanted || watched)
      and t.ends_at < this_month + interval '1 month'
      and t.ends_at > least(utc, here) and t.ends_at > case when t.is_local then here else utc end
      and t.ends_at < 'infinity'
  ),
  of_terms as (select v.term, v.block, bit_or(v.bits) as bits from valid v group by v.term, v.block),
  lapsed as (
    select h.block, bit_or(h.bits & ~coalesce(v.bits, B'0'::bit(4096))) as bits
    from (
      select s.term, s.block, bit_or(s.bits) as bits from staff_sets s
      where s.customer_id = customer and s.term = any (watched) group by s.term, s.block
    ) h
    left join of_terms v on v.term = h.term and v.block = h.block
    group by h.block
  ),
  matches as (
    select m.block, m.bits & ~coalesce(l.bits, B'0'::bit(4096)) as bits
    from (
      select t.block, bit_and(t.bits) as bits from of_terms t where t.term = any (wanted)
      group by t.block having count(*) = cardinality(wanted)
    ) m
    left join lapsed l on l.block = m.block
  )
  select array_agg(m.block), array_agg(m.bits), sum(bit_count(m.bits)),
         (select t.term from of_terms t where t.term = any (wanted)
          group by t.term order by sum(bit_count(t.bits)) limit 1)
  into blocks, sets, found, rarest from matches m;
  if found is null or found <= skipped then return; end if;
  return query
  select p.id, found
  from (
    select distinct t.name, t.person_id as id from staff_terms t
    where t.customer_id = customer and t.term = rarest
      and get_bit(sets[array_position(blocks, t.number / 4096)], t.number % 4096) = 1
    order by t.name, t.person_id limit page_size offset skipped) p;
end $$;
