-- Reserves the maximum cost of a call in all its budgets, and releases the reservation of the call's previous attempt.
-- Returns null, or whose budget is exceeded, or 'unpriced'.
create or replace function reserve_llm_call(call jsonb, policy jsonb, called_at timestamptz) returns text
  language plpgsql
  as $$
declare
  tenant uuid := current_tenant();
  of_month date;
  customer uuid := (call ->> 'customer_id')::uuid;
  instance uuid := (call ->> 'instance_id')::uuid;
  operators boolean := (call ->> 'is_operators')::boolean;
  audio numeric := (call ->> 'audio_seconds')::numeric;
  price numeric := case when audio is null
    then llm_cost((call ->> 'input_tokens')::bigint, 0, (call ->> 'output_tokens')::bigint, call -> 'prices')
    else llm_audio_cost(audio, call -> 'prices') end;
  most_cost numeric := coalesce(price, 0);
  most_tokens bigint := (call ->> 'input_tokens')::bigint + (call ->> 'output_tokens')::bigint;
  is_per_customer boolean := coalesce(policy ->> 'per' = 'customer', false);
  policy_cost numeric := policy ->> 'monthly_cost';
  policy_tokens numeric := policy ->> 'monthly_tokens';
  tenant_cost numeric := case when operators then limit_of(tenant, 'monthly_cost') end;
  own customer_budgets;
  earlier llm_calls;
  -- The reservation of the previous attempt.
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
  -- A call belongs to the month of its first attempt.
  of_month := date_trunc('month', coalesce(earlier.at, called_at) at time zone 'UTC');
  back_cost := coalesce(earlier.reserved_cost, 0);
  back_tokens := coalesce(earlier.reserved_tokens, 0);
  was_operators := coalesce(earlier.is_operators, false);
  -- Done before the rows of spending are locked, which other calls wait for.
  if earlier.id is null then
    insert into llm_calls (id, tenant_id, instance_id, customer_id, conversation_id, recipe_id, at, asked_model, model,
        provider, is_operators, audio_seconds, reserved_cost, reserved_tokens)
      values ((call ->> 'id')::uuid, tenant, instance, customer, (call ->> 'conversation_id')::uuid, (call ->> 'recipe_id')::uuid,
        called_at, call ->> 'asked_model', call ->> 'model', call ->> 'provider', operators, coalesce(audio, 0), most_cost, most_tokens);
  else
    update llm_calls set model = call ->> 'model', provider = call ->> 'provider', is_operators = operators,
        reserved_cost = most_cost, reserved_tokens = most_tokens
      where id = earlier.id;
  end if;

  -- A draft of a recipe has neither.
  if instance is not null then
    of_instance := add_llm_spending(tenant, of_month, null, instance, 0, 0, most_cost - back_cost, most_tokens - back_tokens);
  end if;
  if customer is not null then
    of_customer := add_llm_spending(tenant, of_month, customer, null, 0, 0, most_cost - back_cost, most_tokens - back_tokens);
  end if;
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

  if instance is not null then
    of_instance := add_llm_spending(tenant, of_month, null, instance, 0, 0, -most_cost, -most_tokens);
  end if;
  if customer is not null then
    of_customer := add_llm_spending(tenant, of_month, customer, null, 0, 0, -most_cost, -most_tokens);
  end if;
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

-- Ends a call: releases its reservation and adds its usage. Does nothing for a call that has ended.
create or replace function settle_llm_call(used jsonb, policy jsonb, settled_at timestamptz) returns void
  language plpgsql
  as $$
declare
  call llm_calls;
  of_month date;
  input bigint := (used ->> 'input_tokens')::bigint;
  cached bigint := least(input, (used ->> 'cached_input_tokens')::bigint);
  output bigint := (used ->> 'output_tokens')::bigint;
  audio numeric := (used ->> 'audio_seconds')::numeric;
  spent_cost numeric := case when audio is null then llm_cost(input, cached, output, used -> 'prices')
    else llm_audio_cost(audio, used -> 'prices') end;
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
  -- The lock excludes concurrent settlements of the call.
  select * into call from llm_calls where id = (used ->> 'id')::uuid and status = 'running' for update;
  if not found then return; end if;
  of_month := date_trunc('month', call.at at time zone 'UTC');
  select * into own from customer_budgets where customer_id = call.customer_id;
  update llm_calls set status = used ->> 'status', input_tokens = input, cached_input_tokens = cached,
      output_tokens = output, audio_seconds = coalesce(audio, 0), estimated = (used ->> 'estimated')::boolean, cost = spent_cost,
      latency_ms = (used ->> 'latency_ms')::integer, reserved_cost = 0, reserved_tokens = 0
    where id = call.id;
  if call.instance_id is not null then
    of_instance := add_llm_spending(call.tenant_id, of_month, null, call.instance_id, coalesce(spent_cost, 0), input + output,
      -call.reserved_cost, -call.reserved_tokens);
  end if;
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

-- Counts the reservations of calls that never ended as spent, in the order of add_llm_spending.
create or replace function settle_lost_calls_of(lost llm_calls[]) returns void
  language plpgsql
  as $$
declare
  share record;
begin
  update llm_calls c set status = 'lost', estimated = true, cost = l.reserved_cost, output_tokens = l.reserved_tokens,
      reserved_cost = 0, reserved_tokens = 0
    from unnest(lost) l where c.id = l.id;
  for share in
    select tenant_id, date_trunc('month', at at time zone 'UTC')::date as month, customer_id, instance_id,
           sum(reserved_cost) as cost, least(sum(reserved_tokens), 9223372036854775807)::bigint as tokens
    from (
      select 1 as turn, tenant_id, at, null::uuid as customer_id, instance_id, reserved_cost, reserved_tokens from unnest(lost) where instance_id is not null
      union all
      select 2, tenant_id, at, customer_id, null, reserved_cost, reserved_tokens from unnest(lost) where customer_id is not null
      union all
      select 3, tenant_id, at, null, null, reserved_cost, reserved_tokens from unnest(lost) where is_operators) parts
    group by turn, 1, 2, 3, 4 order by turn, 1, 2, 3, 4
  loop
    perform add_llm_spending(share.tenant_id, share.month, share.customer_id, share.instance_id, share.cost, share.tokens,
      -share.cost, -share.tokens);
  end loop;
end $$;

-- For calls of all tenants. Where those of a tenant cannot be counted, they end uncounted and the others go on. Returns
-- the number of calls.
create or replace function settle_lost_llm_calls(before timestamptz, at_most integer) returns integer
  language plpgsql
  as $$
declare
  lost llm_calls[];
  settled integer := 0;
begin
  for lost in
    select array_agg(c) from (
      select * from llm_calls where status = 'running' and at < before order by at limit at_most for update skip locked) c
    group by c.tenant_id order by c.tenant_id
  loop
    settled := settled + array_length(lost, 1);
    begin
      perform settle_lost_calls_of(lost);
    exception when others then
      raise warning 'calls of the tenant % were not counted as spent: %', lost[1].tenant_id, sqlerrm;
      update llm_calls set status = 'lost', estimated = true where id in (select id from unnest(lost));
    end;
  end loop;
  return settled;
end $$;
