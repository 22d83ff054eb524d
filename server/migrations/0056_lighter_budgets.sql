-- oldest service: 0054
--
-- Reserving and settling a call found each row of spending by conditions that no index serves, so a call took longer the more
-- instances the tenant has; its functions in SQL were planned at each call; and the tenant's row was locked first, so that all
-- of the tenant's calls waited for each other's whole work. Now each row takes one statement, and the tenant's comes last.

-- A function in SQL that reads a table is planned at each call, one in PL/pgSQL once for each connection.
create or replace function limit_of(tenant uuid, limit_name text) returns numeric
  language plpgsql stable parallel safe
  as $$
begin
  return (select (default_limits() || limits ->> limit_name)::numeric from tenants where id = tenant);
end $$;

-- Adds to a row of spending, and makes it where there is none. It stays locked until the transaction ends; whoever changes
-- several takes those of instances first, then those of customers, at last those of tenants.
create function add_llm_spending(tenant uuid, of_month date, customer uuid, instance uuid, added_cost numeric, added_tokens bigint,
                                 added_reserved_cost numeric, added_reserved_tokens bigint) returns llm_spending
  language plpgsql
  as $$
declare
  spent llm_spending;
begin
  insert into llm_spending as s (tenant_id, month, customer_id, instance_id, cost, tokens, reserved_cost, reserved_tokens)
    values (tenant, of_month, customer, instance, added_cost, added_tokens, added_reserved_cost, added_reserved_tokens)
    on conflict on constraint llm_spending_once do update set
      cost = s.cost + excluded.cost, tokens = s.tokens + excluded.tokens,
      reserved_cost = s.reserved_cost + excluded.reserved_cost, reserved_tokens = s.reserved_tokens + excluded.reserved_tokens
    returning * into spent;
  return spent;
end $$;

-- Notes up to which share of a budget an event has told. Three statements, because one could use no index.
create function note_llm_spending_told(spent llm_spending, share integer) returns void
  language plpgsql
  as $$
begin
  if spent.instance_id is not null then
    update llm_spending set told = share
      where tenant_id = spent.tenant_id and month = spent.month and customer_id is null and instance_id = spent.instance_id;
  elsif spent.customer_id is not null then
    update llm_spending set told = share
      where tenant_id = spent.tenant_id and month = spent.month and customer_id = spent.customer_id and instance_id is null;
  else
    update llm_spending set told = share
      where tenant_id = spent.tenant_id and month = spent.month and customer_id is null and instance_id is null;
  end if;
end $$;

-- As in 0048, but finds the row by its index.
create or replace function tell_llm_spending(instance uuid, spent llm_spending, whose text, max_cost numeric, max_tokens numeric,
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
  perform note_llm_spending_told(spent, reached);
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
create or replace function reserve_llm_call(call jsonb, policy jsonb, called_at timestamptz) returns text
  language plpgsql
  as $$
declare
  tenant uuid := current_tenant();
  of_month date;
  customer uuid := (call ->> 'customer_id')::uuid;
  instance uuid := (call ->> 'instance_id')::uuid;
  operators boolean := (call ->> 'is_operators')::boolean;
  price numeric := llm_cost((call ->> 'input_tokens')::bigint, 0, (call ->> 'output_tokens')::bigint, call -> 'prices');
  most_cost numeric := coalesce(price, 0);
  most_tokens bigint := (call ->> 'input_tokens')::bigint + (call ->> 'output_tokens')::bigint;
  is_per_customer boolean := coalesce(policy ->> 'per' = 'customer', false);
  policy_cost numeric := policy ->> 'monthly_cost';
  policy_tokens numeric := policy ->> 'monthly_tokens';
  tenant_cost numeric := case when operators then limit_of(tenant, 'monthly_cost') end;
  own customer_budgets;
  earlier llm_calls;
  -- What the try before reserved, in all budgets and in the tenant's.
  back_cost numeric;
  back_tokens bigint;
  was_operators boolean;
  of_tenant llm_spending;
  of_customer llm_spending;
  of_instance llm_spending;
  refusal text;
begin
  select * into own from customer_budgets where customer_id = customer;
  -- A delete of the customer takes its spending first and its calls last, so it has to be over before, or to wait.
  perform from customers where id = customer for key share;
  select * into earlier from llm_calls where id = (call ->> 'id')::uuid for update;
  -- The month of the first try, which is the call's.
  of_month := date_trunc('month', coalesce(earlier.at, called_at) at time zone 'UTC');
  back_cost := coalesce(earlier.reserved_cost, 0);
  back_tokens := coalesce(earlier.reserved_tokens, 0);
  was_operators := coalesce(earlier.is_operators, false);
  -- Before the locks that other calls wait for.
  if earlier.id is null then
    insert into llm_calls (id, tenant_id, instance_id, customer_id, conversation_id, recipe_id, at, asked_model, model,
        provider, is_operators, reserved_cost, reserved_tokens)
      values ((call ->> 'id')::uuid, tenant, instance, customer, (call ->> 'conversation_id')::uuid, (call ->> 'recipe_id')::uuid,
        called_at, call ->> 'asked_model', call ->> 'model', call ->> 'provider', operators, most_cost, most_tokens);
  else
    update llm_calls set model = call ->> 'model', provider = call ->> 'provider', is_operators = operators,
        reserved_cost = most_cost, reserved_tokens = most_tokens
      where id = earlier.id;
  end if;

  of_instance := add_llm_spending(tenant, of_month, null, instance, 0, 0, most_cost - back_cost, most_tokens - back_tokens);
  of_customer := add_llm_spending(tenant, of_month, customer, null, 0, 0, most_cost - back_cost, most_tokens - back_tokens);
  if operators or was_operators then
    of_tenant := add_llm_spending(tenant, of_month, null, null, 0, 0,
      case when operators then most_cost else 0 end - case when was_operators then back_cost else 0 end,
      case when operators then most_tokens else 0 end - case when was_operators then back_tokens else 0 end);
  end if;
  refusal := case
    when not is_per_customer and llm_exceeds(of_instance, 0, 0, policy_cost, policy_tokens) then 'instance'
    when is_per_customer and llm_exceeds(of_customer, 0, 0, policy_cost, policy_tokens) then 'customer'
    when llm_exceeds(of_customer, 0, 0, own.monthly_cost, own.monthly_tokens) then 'customer'
    when operators and llm_exceeds(of_tenant, 0, 0, tenant_cost, null) then 'tenant'
    when price is null and coalesce(policy_cost, own.monthly_cost, tenant_cost) is not null then 'unpriced'
  end;
  if refusal is null then return null; end if;

  of_instance := add_llm_spending(tenant, of_month, null, instance, 0, 0, -most_cost, -most_tokens);
  of_customer := add_llm_spending(tenant, of_month, customer, null, 0, 0, -most_cost, -most_tokens);
  if operators then of_tenant := add_llm_spending(tenant, of_month, null, null, 0, 0, -most_cost, -most_tokens); end if;
  if earlier.id is null then
    delete from llm_calls where id = (call ->> 'id')::uuid;
  else
    update llm_calls set model = earlier.model, provider = earlier.provider, is_operators = earlier.is_operators,
        reserved_cost = 0, reserved_tokens = 0
      where id = earlier.id;
  end if;
  if refusal = 'instance' then
    perform tell_llm_spending(instance, of_instance, refusal, policy_cost, policy_tokens, true, called_at);
  elsif refusal = 'customer' and is_per_customer and llm_exceeds(of_customer, most_cost, most_tokens, policy_cost, policy_tokens) then
    perform tell_llm_spending(instance, of_customer, refusal, policy_cost, policy_tokens, true, called_at);
  elsif refusal = 'customer' then
    perform tell_llm_spending(instance, of_customer, refusal, own.monthly_cost, own.monthly_tokens, true, called_at);
  elsif refusal = 'tenant' then
    perform tell_llm_spending(instance, of_tenant, refusal, tenant_cost, null, true, called_at);
  end if;
  return refusal;
end $$;

-- Ends a call: what it reserved is given back, and what it used is spent. A call that has ended stays as it is.
create or replace function settle_llm_call(used jsonb, policy jsonb, settled_at timestamptz) returns void
  language plpgsql
  as $$
declare
  call llm_calls;
  of_month date;
  input bigint := (used ->> 'input_tokens')::bigint;
  cached bigint := least(input, (used ->> 'cached_input_tokens')::bigint);
  output bigint := (used ->> 'output_tokens')::bigint;
  spent_cost numeric := llm_cost(input, cached, output, used -> 'prices');
  is_per_customer boolean := coalesce(policy ->> 'per' = 'customer', false);
  policy_cost numeric := policy ->> 'monthly_cost';
  policy_tokens numeric := policy ->> 'monthly_tokens';
  of_tenant llm_spending;
  of_customer llm_spending;
  of_instance llm_spending;
  own customer_budgets;
begin
  -- A delete of the customer takes its spending first and its calls last, so it has to be over before, or to wait.
  perform from customers where id = (select customer_id from llm_calls where id = (used ->> 'id')::uuid) for key share;
  -- The lock keeps other settlements of the call out.
  select * into call from llm_calls where id = (used ->> 'id')::uuid and status = 'running' for update;
  if not found then return; end if;
  of_month := date_trunc('month', call.at at time zone 'UTC');
  select * into own from customer_budgets where customer_id = call.customer_id;
  update llm_calls set status = used ->> 'status', input_tokens = input, cached_input_tokens = cached,
      output_tokens = output, estimated = (used ->> 'estimated')::boolean, cost = spent_cost,
      latency_ms = (used ->> 'latency_ms')::integer, reserved_cost = 0, reserved_tokens = 0
    where id = call.id;
  of_instance := add_llm_spending(call.tenant_id, of_month, null, call.instance_id, coalesce(spent_cost, 0), input + output,
    -call.reserved_cost, -call.reserved_tokens);
  if call.customer_id is not null then
    of_customer := add_llm_spending(call.tenant_id, of_month, call.customer_id, null, coalesce(spent_cost, 0), input + output,
      -call.reserved_cost, -call.reserved_tokens);
  end if;
  if call.is_operators then
    of_tenant := add_llm_spending(call.tenant_id, of_month, null, null, coalesce(spent_cost, 0), input + output,
      -call.reserved_cost, -call.reserved_tokens);
  end if;

  if policy is not null and not is_per_customer then
    perform tell_llm_spending(call.instance_id, of_instance, 'instance', policy_cost, policy_tokens, false, settled_at);
  end if;
  if call.customer_id is not null then
    perform tell_llm_spending(call.instance_id, of_customer, 'customer',
      least(own.monthly_cost, case when is_per_customer then policy_cost end),
      least(own.monthly_tokens, case when is_per_customer then policy_tokens end),
      false, settled_at);
  end if;
  if call.is_operators then
    perform tell_llm_spending(call.instance_id, of_tenant, 'tenant', limit_of(call.tenant_id, 'monthly_cost'), null, false, settled_at);
  end if;
end $$;

-- Counts calls that never ended as spent, with all that they had reserved. Returns their number.
create or replace function settle_lost_llm_calls(before timestamptz, at_most integer) returns integer
  language plpgsql
  as $$
declare
  lost llm_calls[];
  share record;
begin
  select array_agg(c) into lost from (
    select * from llm_calls where status = 'running' and at < before order by at limit at_most for update skip locked) c;
  update llm_calls c set status = 'lost', estimated = true, cost = l.reserved_cost, output_tokens = l.reserved_tokens,
      reserved_cost = 0, reserved_tokens = 0
    from unnest(lost) l where c.id = l.id;
  for share in
    select tenant_id, date_trunc('month', at at time zone 'UTC')::date as month, customer_id, instance_id,
           sum(reserved_cost) as cost, sum(reserved_tokens)::bigint as tokens
    from (
      select 1 as turn, tenant_id, at, null::uuid as customer_id, instance_id, reserved_cost, reserved_tokens from unnest(lost)
      union all
      select 2, tenant_id, at, customer_id, null, reserved_cost, reserved_tokens from unnest(lost) where customer_id is not null
      union all
      select 3, tenant_id, at, null, null, reserved_cost, reserved_tokens from unnest(lost) where is_operators) parts
    group by turn, 1, 2, 3, 4 order by turn, 1, 2, 3, 4
  loop
    perform add_llm_spending(share.tenant_id, share.month, share.customer_id, share.instance_id, share.cost, share.tokens,
      -share.cost, -share.tokens);
  end loop;
  return coalesce(array_length(lost, 1), 0);
end $$;

drop function lock_llm_spending(uuid, date, uuid, uuid);
drop function change_llm_spending(llm_spending, numeric, bigint, numeric, bigint);
