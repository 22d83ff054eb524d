-- A rollback needs them: until 7 days after the end, those that the rollout gave and those that it took.
create or replace function is_rollout_revision(tenant uuid, recipe uuid, of_revision integer) returns boolean
  language plpgsql stable
  as $$
begin
  return exists (
    select from rollouts r
    where r.tenant_id = tenant and r.recipe_id = recipe and (r.ended_at is null or r.ended_at > now() - interval '7 days')
      and (r.revision = of_revision
           or exists (select from rollout_items i where i.tenant_id = tenant and i.rollout_id = r.id and i.from_revision = of_revision)));
end $$;

-- Whoever begins a rollout holds the recipe's row, so this sees it.
create or replace function keep_recipe_of_rollout() returns trigger
  language plpgsql
  as $$
begin
  perform must_hold(not exists (select from rollouts
    where tenant_id = new.tenant_id and recipe_id = new.id and status in ('running', 'paused', 'rolling_back')),
    'A rollout of the recipe is under way; stop it first');
  return null;
end $$;

create or replace trigger keep_recipe_of_rollout after update of deleted_at on recipes for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function keep_recipe_of_rollout();

-- The change is known once it is noted, which the first trigger of the table does.
create or replace function note_rollout_author() returns trigger
  language plpgsql
  as $$
begin
  update rollouts set created_by = nullif(current_setting('app.changed_by', true), '')::jsonb where id = new.id;
  return null;
end $$;

create or replace trigger note_rollout_author after insert on rollouts
  for each row execute function note_rollout_author();

-- One try of a burst is that of its first message. An instance that does not run refuses nothing.
create or replace function note_refusal() returns trigger
  language plpgsql
  as $$
begin
  insert into rollout_refusals as counted (tenant_id, rollout_id, instance_id, tries)
  select i.tenant_id, i.rollout_id, i.instance_id, 1
  from rollout_items i join rollouts r on r.id = i.rollout_id join instances n on n.id = i.instance_id
  where i.tenant_id = new.tenant_id and i.instance_id = new.instance_id and i.status = 'upgraded'
    and r.status in ('running', 'paused') and r.refused_messages is not null and n.status = 'running'
  on conflict (tenant_id, rollout_id, instance_id) do update set tries = counted.tries + 1;
  return null;
end $$;

create or replace trigger note_refusal after update of attempts on channel_messages for each row
  when (new.status = 'pending' and new.attempts > old.attempts and (new.burst is null or new.burst = new.id))
  execute function note_refusal();

-- A shared instance serves other customers too.
create or replace function erase_rollout_items() returns trigger
  language plpgsql
  as $$
begin
  delete from rollout_items r using instances i
  where i.tenant_id = old.tenant_id and i.customer_id = old.id and i.hosting_mode = 'dedicated' and r.instance_id = i.id
    and r.tenant_id = old.tenant_id;
  return old;
end $$;

create or replace trigger erase_rollout_items before delete on customers
  for each row execute function erase_rollout_items();
