-- The public model catalogue (specification, section 2.9). The operator's, the same for everybody.
create table models (
  id uuid primary key default gen_random_uuid(),
  -- What the provider's API calls it; the key of the upsert (contract, section 10).
  model_id text not null unique,
  -- What recipes and the approved primitives call it.
  slug text not null,
  display_name text not null,
  provider text,
  modality text,
  api_format text,
  capabilities jsonb not null default '[]',
  context_window integer,
  max_output_tokens integer,
  typical_tps integer,
  speed_tier text,
  -- US dollars per million tokens, as they were given: decimal text, never a float.
  cost_input_per_mtok text check (cost_input_per_mtok ~ '^\d+(\.\d+)?$'),
  cost_cached_input_per_mtok text check (cost_cached_input_per_mtok ~ '^\d+(\.\d+)?$'),
  cost_output_per_mtok text check (cost_output_per_mtok ~ '^\d+(\.\d+)?$'),
  is_active boolean not null default true,
  is_deprecated boolean not null default false,
  -- Where the facts of the row come from and the day they were seen there; not public.
  source text,
  observed_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select, insert, update on models to acp_system;

-- Seen on 2026-07-24 in a public table of prices. Standard prices, without surcharges for long prompts. What is not
-- known is null; nobody measured typical_tps. speed_tier is ours: fast for a family's small models, else standard.
insert into models (model_id, slug, display_name, provider, modality, api_format, capabilities, context_window,
  max_output_tokens, speed_tier, cost_input_per_mtok, cost_cached_input_per_mtok, cost_output_per_mtok, source, observed_on)
select model_id, slug, display_name, provider, modality, api_format, to_jsonb(string_to_array(capabilities, ' ')),
  context_window, max_output_tokens, speed_tier, input, cached, output,
  'https://github.com/Wei-Shaw/model-price-repo at f9ff1473, a mirror of LiteLLM''s model_prices_and_context_window.json',
  date '2026-07-24'
from (values
  ('gpt-5.5', 'gpt-5.5', 'GPT-5.5', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 1050000, 128000, 'standard', '5.00', '0.50', '30.00'),
  ('gpt-5.2', 'gpt-5.2', 'GPT-5.2', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 400000, 128000, 'standard', '1.75', '0.175', '14.00'),
  ('gpt-5.1', 'gpt-5.1', 'GPT-5.1', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 400000, 128000, 'standard', '1.25', '0.125', '10.00'),
  ('gpt-5', 'gpt-5', 'GPT-5', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 400000, 128000, 'standard', '1.25', '0.125', '10.00'),
  ('gpt-5-mini', 'gpt-5-mini', 'GPT-5 mini', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 400000, 128000, 'fast', '0.25', '0.025', '2.00'),
  ('gpt-5-nano', 'gpt-5-nano', 'GPT-5 nano', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 400000, 128000, 'fast', '0.05', '0.005', '0.40'),
  ('gpt-4.1', 'gpt-4.1', 'GPT-4.1', 'openai', 'text', 'openai', 'tools vision json_schema', 1047576, 32768, 'standard', '2.00', '0.50', '8.00'),
  ('gpt-4.1-mini', 'gpt-4.1-mini', 'GPT-4.1 mini', 'openai', 'text', 'openai', 'tools vision json_schema', 1047576, 32768, 'fast', '0.40', '0.10', '1.60'),
  ('gpt-4o', 'gpt-4o', 'GPT-4o', 'openai', 'text', 'openai', 'tools vision json_schema', 128000, 16384, 'standard', '2.50', '1.25', '10.00'),
  ('gpt-4o-mini', 'gpt-4o-mini', 'GPT-4o mini', 'openai', 'text', 'openai', 'tools vision json_schema', 128000, 16384, 'fast', '0.15', '0.075', '0.60'),
  ('o3', 'o3', 'o3', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 200000, 100000, 'standard', '2.00', '0.50', '8.00'),
  ('o4-mini', 'o4-mini', 'o4-mini', 'openai', 'text', 'openai', 'tools vision json_schema reasoning', 200000, 100000, 'fast', '1.10', '0.275', '4.40'),
  ('claude-opus-4-7', 'claude-opus-4-7', 'Claude Opus 4.7', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 1000000, 128000, 'standard', '5.00', '0.50', '25.00'),
  ('claude-opus-4-6', 'claude-opus-4-6', 'Claude Opus 4.6', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 1000000, 128000, 'standard', '5.00', '0.50', '25.00'),
  ('claude-sonnet-4-6', 'claude-sonnet-4-6', 'Claude Sonnet 4.6', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 1000000, 64000, 'standard', '3.00', '0.30', '15.00'),
  ('claude-opus-4-5-20251101', 'claude-opus-4-5', 'Claude Opus 4.5', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 200000, 64000, 'standard', '5.00', '0.50', '25.00'),
  ('claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', 'Claude Sonnet 4.5', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 200000, 64000, 'standard', '3.00', '0.30', '15.00'),
  ('claude-haiku-4-5-20251001', 'claude-haiku-4-5', 'Claude Haiku 4.5', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 200000, 64000, 'fast', '1.00', '0.10', '5.00'),
  ('claude-opus-4-1-20250805', 'claude-opus-4-1', 'Claude Opus 4.1', 'anthropic', 'text', 'anthropic', 'tools vision reasoning', 200000, 32000, 'standard', '15.00', '1.50', '75.00'),
  ('gemini-2.5-pro', 'gemini-2.5-pro', 'Gemini 2.5 Pro', 'google', 'text', 'google', 'tools vision json_schema reasoning', 1048576, 65536, 'standard', '1.25', '0.125', '10.00'),
  ('gemini-2.5-flash', 'gemini-2.5-flash', 'Gemini 2.5 Flash', 'google', 'text', 'google', 'tools vision json_schema reasoning', 1048576, 65536, 'fast', '0.30', '0.03', '2.50'),
  ('gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', 'google', 'text', 'google', 'tools vision json_schema reasoning', 1048576, 65536, 'fast', '0.10', '0.01', '0.40')
) as seen (model_id, slug, display_name, provider, modality, api_format, capabilities, context_window,
  max_output_tokens, speed_tier, input, cached, output);
