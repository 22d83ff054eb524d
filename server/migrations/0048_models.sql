-- The operator's providers of language models. Their keys are sealed under a key of the service.
create table llm_providers (
  slug text collate "C" primary key,
  base_url text not null,
  sealed_api_key bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on llm_providers to acp_system;

-- A tenant's own ones, at its own cost. Their keys are sealed under the tenant's key.
create table tenant_llm_providers (
  tenant_id uuid not null references tenants (id),
  slug text collate "C" not null,
  base_url text not null,
  sealed_api_key bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, slug)
);
call enable_tenant_rls('tenant_llm_providers');
call note_changes('tenant_llm_providers');

-- The key by which the running process of an instance reaches the models; each start has another.
create table llm_keys (
  instance_id uuid primary key,
  tenant_id uuid not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
call enable_tenant_rls('llm_keys');
call note_changes('llm_keys', 'instance_id');

-- A customer's limit on all its instances together.
create table customer_budgets (
  customer_id uuid primary key,
  tenant_id uuid not null,
  monthly_cost numeric check (monthly_cost >= 0),
  monthly_tokens bigint check (monthly_tokens >= 0),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade
);
call enable_tenant_rls('customer_budgets');
call note_changes('customer_budgets');

-- The cost of a month (UTC): a tenant at the operator's providers (neither id), a customer, an instance.
create table llm_spending (
  tenant_id uuid not null references tenants (id),
  month date not null,
  customer_id uuid,
  instance_id uuid,
  cost numeric not null default 0,
  tokens bigint not null default 0,
  -- The reservations of calls that have not ended yet.
  reserved_cost numeric not null default 0,
  reserved_tokens bigint not null default 0,
  -- The share of the budget, in per cent, that an event has told last: 0, 80 or 100.
  told integer not null default 0,
  constraint llm_spending_once unique nulls not distinct (tenant_id, month, customer_id, instance_id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index llm_spending_customer on llm_spending (tenant_id, customer_id) where customer_id is not null;
create index llm_spending_instance on llm_spending (tenant_id, instance_id) where instance_id is not null;
call enable_tenant_rls('llm_spending');
grant insert, update, delete on llm_spending to acp_system;

-- One row per call, kept for 90 days.
create table llm_calls (
  id uuid primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  customer_id uuid,
  conversation_id uuid references conversations (id) on delete set null,
  recipe_id uuid,
  at timestamptz not null,
  asked_model text not null,
  model text not null,
  provider text not null,
  -- False at a tenant's own provider, whose cost is not ours to count.
  is_operators boolean not null,
  status text not null default 'running' check (status in ('running', 'ok', 'failed', 'aborted', 'lost')),
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- The provider told no usage.
  estimated boolean not null default false,
  -- US dollars; null where the model has no price.
  cost numeric,
  latency_ms integer,
  reserved_cost numeric not null default 0,
  reserved_tokens bigint not null default 0,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id)
);
create index llm_calls_at on llm_calls (tenant_id, at);
create index llm_calls_instance on llm_calls (tenant_id, instance_id);
create index llm_calls_customer on llm_calls (tenant_id, customer_id) where customer_id is not null;
create index llm_calls_conversation on llm_calls (conversation_id) where conversation_id is not null;
create index llm_calls_age on llm_calls (at);
create index llm_calls_running on llm_calls (at) where status = 'running';
call enable_tenant_rls('llm_calls');
grant insert, update, delete on llm_calls to acp_system;

-- Sums of the calls of a day (UTC), kept for two years.
create table llm_days (
  tenant_id uuid not null,
  day date not null,
  instance_id uuid not null,
  customer_id uuid,
  recipe_id uuid,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  cost numeric,
  foreign key (tenant_id, instance_id) references instances (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id) on delete set null (customer_id)
);
create index llm_days_day on llm_days (tenant_id, day);
create index llm_days_instance on llm_days (tenant_id, instance_id);
create index llm_days_customer on llm_days (tenant_id, customer_id) where customer_id is not null;
create index llm_days_age on llm_days (day);
call enable_tenant_rls('llm_days');
grant insert, update, delete on llm_days to acp_system;

-- US dollars for tokens at a model's prices per million; null without a price.
create function llm_cost(input bigint, cached bigint, output bigint, prices jsonb) returns numeric
  language sql immutable parallel safe
  as $$
  select ((input - cached) * (prices ->> 'input')::numeric
    + cached * coalesce(prices ->> 'cached_input', prices ->> 'input')::numeric
    + output * (prices ->> 'output')::numeric) / 1000000
  $$;

-- True where a sum does not fit below the limits; null is no limit.
create function llm_exceeds(spent llm_spending, cost numeric, tokens bigint, max_cost numeric, max_tokens numeric) returns boolean
  language sql immutable parallel safe
  as $$
  select coalesce(spent.cost + spent.reserved_cost + coalesce(cost, 0) > max_cost, false)
      or coalesce(spent.tokens + spent.reserved_tokens + tokens > max_tokens, false)
  $$;

-- Finds a row of spending and locks it until the transaction ends.
create function lock_llm_spending(tenant uuid, of_month date, customer uuid, instance uuid) returns llm_spending
  language plpgsql
  as $$
declare
  spent llm_spending;
begin
  insert into llm_spending (tenant_id, month, customer_id, instance_id) values (tenant, of_month, customer, instance)
    on conflict do nothing;
  select * into spent from llm_spending s
    where s.tenant_id = tenant and s.month = of_month
      and s.customer_id is not distinct from customer and s.instance_id is not distinct from instance
    for update;
  return spent;
end $$;

create function change_llm_spending(spent llm_spending, cost_change numeric, tokens_change bigint,
                                    reserved_cost_change numeric, reserved_tokens_change bigint) returns llm_spending
  language sql
  as $$
  update llm_spending s set
    cost = s.cost + cost_change, tokens = s.tokens + tokens_change,
    reserved_cost = s.reserved_cost + reserved_cost_change, reserved_tokens = s.reserved_tokens + reserved_tokens_change
  where s.tenant_id = spent.tenant_id and s.month = spent.month
    and s.customer_id is not distinct from spent.customer_id and s.instance_id is not distinct from spent.instance_id
  returning *
  $$;

-- Writes an event once a budget has reached 80 or 100 per cent. `is_refused`: a call found no room in it.
create function tell_llm_spending(instance uuid, spent llm_spending, whose text, max_cost numeric, max_tokens numeric,
                                  is_refused boolean, told_at timestamptz) returns void
  language plpgsql
  as $$
declare
  -- A budget of nothing is spent from the start.
  share numeric := greatest(
    case when max_cost > 0 then spent.cost / max_cost * 100 when max_cost = 0 then 100 end,
    case when max_tokens > 0 then spent.tokens / max_tokens * 100 when max_tokens = 0 then 100 end);
  reached integer := case when is_refused or share >= 100 then 100 when share >= 80 then 80 else 0 end;
begin
  if share is null or reached = spent.told then return; end if;
  update llm_spending s set told = reached
    where s.tenant_id = spent.tenant_id and s.month = spent.month
      and s.customer_id is not distinct from spent.customer_id and s.instance_id is not distinct from spent.instance_id;
  if reached < spent.told then return; end if;
  -- Every writer of events locks the instance, because followers read by id.
  insert into instance_events (tenant_id, instance_id, at, "from", "to", message)
    select i.tenant_id, i.id, told_at, i.status, i.status, case
      when share >= 100 then format('The monthly budget of the %s is spent (100 %%)', whose)
      when is_refused then format('The monthly budget of the %s has no room for another call (100 %%)', whose)
      else format('80 %% of the monthly budget of the %s are spent', whose) end
    from instances i where i.id = instance for no key update of i;
end $$;

-- Reserves what a call may cost at most, in every budget that it counts for. A further try of a call gives back what the
-- one before had reserved. Returns null, or whose budget has no room, or 'unpriced'.
create function reserve_llm_call(call jsonb, policy jsonb, called_at timestamptz) returns text
  language plpgsql
  as $$
declare
  tenant uuid := current_tenant();
  of_month date := date_trunc('month', called_at at time zone 'UTC');
  customer uuid := (call ->> 'customer_id')::uuid;
  instance uuid := (call ->> 'instance_id')::uuid;
  operators boolean := (call ->> 'is_operators')::boolean;
  cost numeric := llm_cost((call ->> 'input_tokens')::bigint, 0, (call ->> 'output_tokens')::bigint, call -> 'prices');
  tokens bigint := (call ->> 'input_tokens')::bigint + (call ->> 'output_tokens')::bigint;
  is_per_customer boolean := policy ->> 'per' = 'customer';
  policy_cost numeric := policy ->> 'monthly_cost';
  policy_tokens numeric := policy ->> 'monthly_tokens';
  tenant_cost numeric := case when operators then limit_of(tenant, 'monthly_cost') end;
  own customer_budgets;
  earlier llm_calls;
  of_tenant llm_spending := lock_llm_spending(tenant, of_month, null, null);
  of_customer llm_spending := lock_llm_spending(tenant, of_month, customer, null);
  of_instance llm_spending := lock_llm_spending(tenant, of_month, null, instance);
begin
  select * into own from customer_budgets where customer_id = customer;
  select * into earlier from llm_calls where id = (call ->> 'id')::uuid;
  if earlier.id is not null then
    if earlier.is_operators then
      of_tenant := change_llm_spending(of_tenant, 0, 0, -earlier.reserved_cost, -earlier.reserved_tokens);
    end if;
    of_customer := change_llm_spending(of_customer, 0, 0, -earlier.reserved_cost, -earlier.reserved_tokens);
    of_instance := change_llm_spending(of_instance, 0, 0, -earlier.reserved_cost, -earlier.reserved_tokens);
    update llm_calls set reserved_cost = 0, reserved_tokens = 0 where id = earlier.id;
  end if;

  if not is_per_customer and llm_exceeds(of_instance, cost, tokens, policy_cost, policy_tokens) then
    perform tell_llm_spending(instance, of_instance, 'instance', policy_cost, policy_tokens, true, called_at);
    return 'instance';
  elsif is_per_customer and llm_exceeds(of_customer, cost, tokens, policy_cost, policy_tokens) then
    perform tell_llm_spending(instance, of_customer, 'customer', policy_cost, policy_tokens, true, called_at);
    return 'customer';
  elsif llm_exceeds(of_customer, cost, tokens, own.monthly_cost, own.monthly_tokens) then
    perform tell_llm_spending(instance, of_customer, 'customer', own.monthly_cost, own.monthly_tokens, true, called_at);
    return 'customer';
  elsif llm_exceeds(of_tenant, cost, tokens, tenant_cost, null) then
    perform tell_llm_spending(instance, of_tenant, 'tenant', tenant_cost, null, true, called_at);
    return 'tenant';
  end if;
  if cost is null and coalesce(policy_cost, own.monthly_cost, tenant_cost) is not null then return 'unpriced'; end if;

  if operators then perform change_llm_spending(of_tenant, 0, 0, coalesce(cost, 0), tokens); end if;
  perform change_llm_spending(of_customer, 0, 0, coalesce(cost, 0), tokens);
  perform change_llm_spending(of_instance, 0, 0, coalesce(cost, 0), tokens);
  insert into llm_calls (id, tenant_id, instance_id, customer_id, conversation_id, recipe_id, at, asked_model, model,
      provider, is_operators, reserved_cost, reserved_tokens)
    values ((call ->> 'id')::uuid, tenant, instance, customer, (call ->> 'conversation_id')::uuid, (call ->> 'recipe_id')::uuid,
      called_at, call ->> 'asked_model', call ->> 'model', call ->> 'provider', operators, coalesce(cost, 0), tokens)
    on conflict (id) do update set model = excluded.model, provider = excluded.provider, is_operators = excluded.is_operators,
      reserved_cost = excluded.reserved_cost, reserved_tokens = excluded.reserved_tokens;
  return null;
end $$;

-- Ends a call: what it reserved is given back, and what it used is spent. A call that has ended stays as it is.
create function settle_llm_call(used jsonb, policy jsonb, settled_at timestamptz) returns void
  language plpgsql
  as $$
declare
  call llm_calls;
  of_month date;
  input bigint := (used ->> 'input_tokens')::bigint;
  cached bigint := least(input, (used ->> 'cached_input_tokens')::bigint);
  output bigint := (used ->> 'output_tokens')::bigint;
  spent_cost numeric;
  of_tenant llm_spending;
  of_customer llm_spending;
  of_instance llm_spending;
  own customer_budgets;
begin
  select * into call from llm_calls where id = (used ->> 'id')::uuid and status = 'running';
  if not found then return; end if;
  of_month := date_trunc('month', call.at at time zone 'UTC');
  -- The same order as of a reservation. The tenant's row comes first and keeps other settlements of the call out.
  of_tenant := lock_llm_spending(call.tenant_id, of_month, null, null);
  if call.customer_id is not null then
    of_customer := lock_llm_spending(call.tenant_id, of_month, call.customer_id, null);
  end if;
  of_instance := lock_llm_spending(call.tenant_id, of_month, null, call.instance_id);
  spent_cost := llm_cost(input, cached, output, used -> 'prices');
  update llm_calls set status = used ->> 'status', input_tokens = input, cached_input_tokens = cached,
      output_tokens = output, estimated = (used ->> 'estimated')::boolean, cost = spent_cost,
      latency_ms = (used ->> 'latency_ms')::integer, reserved_cost = 0, reserved_tokens = 0
    where id = call.id and status = 'running';
  if not found then return; end if;
  if call.is_operators then
    of_tenant := change_llm_spending(of_tenant, coalesce(spent_cost, 0), input + output, -call.reserved_cost, -call.reserved_tokens);
  end if;
  of_customer := change_llm_spending(of_customer, coalesce(spent_cost, 0), input + output, -call.reserved_cost, -call.reserved_tokens);
  of_instance := change_llm_spending(of_instance, coalesce(spent_cost, 0), input + output, -call.reserved_cost, -call.reserved_tokens);

  select * into own from customer_budgets where customer_id = call.customer_id;
  if policy ->> 'per' = 'instance' then
    perform tell_llm_spending(call.instance_id, of_instance, 'instance', (policy ->> 'monthly_cost')::numeric,
      (policy ->> 'monthly_tokens')::numeric, false, settled_at);
  end if;
  if of_customer.month is not null then
    perform tell_llm_spending(call.instance_id, of_customer, 'customer',
      least(own.monthly_cost, case when policy ->> 'per' = 'customer' then (policy ->> 'monthly_cost')::numeric end),
      least(own.monthly_tokens, case when policy ->> 'per' = 'customer' then (policy ->> 'monthly_tokens')::numeric end),
      false, settled_at);
  end if;
  perform tell_llm_spending(call.instance_id, of_tenant, 'tenant', limit_of(call.tenant_id, 'monthly_cost'), null, false, settled_at);
end $$;

-- Counts calls that never ended as spent, with all that they had reserved. Returns their number.
create function settle_lost_llm_calls(before timestamptz, at_most integer) returns integer
  language plpgsql
  as $$
declare
  call llm_calls;
  settled integer := 0;
begin
  for call in
    select * from llm_calls where status = 'running' and at < before order by tenant_id, at limit at_most for update skip locked
  loop
    update llm_calls set status = 'lost', estimated = true, cost = call.reserved_cost, output_tokens = call.reserved_tokens,
        reserved_cost = 0, reserved_tokens = 0
      where id = call.id;
    update llm_spending s set
        cost = s.cost + call.reserved_cost, tokens = s.tokens + call.reserved_tokens,
        reserved_cost = s.reserved_cost - call.reserved_cost, reserved_tokens = s.reserved_tokens - call.reserved_tokens
      where s.tenant_id = call.tenant_id and s.month = date_trunc('month', call.at at time zone 'UTC')::date
        and (call.is_operators and s.customer_id is null and s.instance_id is null
          or s.customer_id = call.customer_id or s.instance_id = call.instance_id);
    settled := settled + 1;
  end loop;
  return settled;
end $$;

-- Composition tells a tenant which names of models nothing is known of.
grant select (model_id, slug, is_active) on models to acp_tenant;
