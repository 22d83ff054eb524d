-- US dollars; prices are per million tokens. Null without a price.
create or replace function llm_cost(input bigint, cached bigint, output bigint, prices jsonb) returns numeric
  language sql immutable parallel safe
  as $$
  select ((input - cached) * (prices ->> 'input')::numeric
    + cached * coalesce(prices ->> 'cached_input', prices ->> 'input')::numeric
    + output * (prices ->> 'output')::numeric) / 1000000
  $$;

-- US dollars of a recording. Null without a price.
create or replace function llm_audio_cost(seconds numeric, prices jsonb) returns numeric
  language sql immutable parallel safe
  as $$ select seconds * (prices ->> 'audio_minute')::numeric / 60 $$;

-- True when spent, reserved and added together exceed a limit; null is no limit.
create or replace function llm_exceeds(spent llm_spending, cost numeric, tokens bigint, max_cost numeric, max_tokens numeric) returns boolean
  language sql immutable parallel safe
  as $$
  select coalesce(spent.cost + spent.reserved_cost + coalesce(cost, 0) > max_cost, false)
      or coalesce(spent.tokens::numeric + spent.reserved_tokens + tokens > max_tokens, false)
  $$;

-- Adds to a row of spending, or creates it. The row stays locked until the transaction ends. To avoid deadlocks, callers
-- change rows of instances first, then of customers, then of tenants.
create or replace function add_llm_spending(tenant uuid, of_month date, customer uuid, instance uuid, added_cost numeric, added_tokens bigint,
                                 added_reserved_cost numeric, added_reserved_tokens bigint) returns llm_spending
  language plpgsql
  as $$
declare
  spent llm_spending;
  -- Sums stop here instead of overflowing.
  most constant numeric := 9223372036854775807;
begin
  insert into llm_spending as s (tenant_id, month, customer_id, instance_id, cost, tokens, reserved_cost, reserved_tokens)
    values (tenant, of_month, customer, instance, added_cost, added_tokens, added_reserved_cost, added_reserved_tokens)
    on conflict on constraint llm_spending_once do update set
      cost = s.cost + excluded.cost, tokens = least(s.tokens::numeric + added_tokens, most),
      reserved_cost = s.reserved_cost + excluded.reserved_cost, reserved_tokens = least(s.reserved_tokens::numeric + added_reserved_tokens, most)
    returning * into spent;
  return spent;
end $$;

-- Stores the share of the budget that the last event reported. Three statements, because a single one could use no index.
create or replace function note_llm_spending_told(spent llm_spending, share integer) returns void
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

-- Adds an event to the instance when a budget reaches 80 or 100 per cent. `is_refused`: a call exceeded it.
create or replace function tell_llm_spending(instance uuid, spent llm_spending, whose text, max_cost numeric, max_tokens numeric,
                                             is_refused boolean, told_at timestamptz) returns void
  language plpgsql
  as $$
declare
  -- A budget of 0 is spent from the start.
  share numeric := greatest(
    case when max_cost > 0 then spent.cost / max_cost * 100 when max_cost = 0 then 100 end,
    case when max_tokens > 0 then spent.tokens / max_tokens * 100 when max_tokens = 0 then 100 end);
  reached integer := case when is_refused or share >= 100 then 100 when share >= 80 then 80 else 0 end;
begin
  if instance is null or share is null or reached = spent.told then return; end if;
  perform note_llm_spending_told(spent, reached);
  if reached < spent.told then return; end if;
  perform add_instance_event(instance, told_at, case
    when share >= 100 then format('The monthly budget of the %s is spent (100 %%)', whose)
    when is_refused then format('The monthly budget of the %s has no room for another call (100 %%)', whose)
    else format('80 %% of the monthly budget of the %s are spent', whose) end);
end $$;
