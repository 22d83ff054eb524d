-- What a new installation begins with.

insert into service_clock (number) values (0);

-- What a new tenant starts with (contract, section 10).
insert into default_primitives (kind, slug, display_name) values
  ('skill', 'staff_query', 'Find staff by skill, site and certificate'),
  ('skill', 'worker_shifts', 'A worker''s own shifts, assignments and certificates'),
  ('skill', 'timesheet', 'A worker''s own timesheets'),
  ('skill', 'drive_search', 'Search and read the customer''s drive'),
  ('channel', 'chatapp', 'Chat app'),
  ('integration', 'chatapp', 'Chat app send API'),
  ('integration', 'google_drive', 'Google Drive'),
  ('integration', 'filesystem', 'Files on the service''s own disk'),
  ('model', 'gpt-5', 'GPT-5'),
  ('model', 'gpt-5-mini', 'GPT-5 mini'),
  ('model', 'claude-sonnet-4-5', 'Claude Sonnet 4.5'),
  ('model', 'claude-haiku-4-5', 'Claude Haiku 4.5'),
  ('model', 'gemini-2.5-pro', 'Gemini 2.5 Pro'),
  ('model', 'gemini-2.5-flash', 'Gemini 2.5 Flash'),
  ('channel', 'playground', 'Playground'),
  ('mcp_server', 'orders', 'Orders of a shop');

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

-- The platform's own tenant holds the templates that everybody may deploy. It has no secrets, so no data key.
set local role acp_system;
insert into tenants (id, name, wrapped_key, is_platform)
values ('4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', 'Platform', '', true);

insert into recipes (id, tenant_id, is_platform_template, name, description, system_prompt,
                     channel_types, connection_requirements, skills, model_policy)
values (
  '8d0c9a52-3c0f-4e0b-8d5c-5f1f3e7a6b02', '4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', true,
  'Crew desk', 'Answers a crew in the chat app: who is qualified, who works when, hours worked.',
  'You help the crew of a company. Answer briefly. Use the tools; never guess names, times or hours.',
  '["chatapp"]', '[{"provider": "chatapp"}]',
  '["staff_query", "worker_shifts", {"slug": "timesheet", "pin_required": true}]', '{"model": "gpt-5-mini"}'
);

-- What an override has to say stands in each description.
insert into recipes (id, tenant_id, is_platform_template, name, description, system_prompt, channel_types,
                     connection_requirements, skills, data_access, channel_config, compliance_config, mcp_servers,
                     approval_rules, trigger_templates)
values (
  'b2f7c0d4-6a1e-4f39-9c58-0d7e1a4b9301', '4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', true,
  'Appointment desk',
  'Asks what an appointment is for and when it suits, and hands the conversation to a person who fixes it. Nothing has to be overridden.',
  'You take down wishes for appointments. Ask for the name, what it is about, and two times that suit, one question at a time. '
  'Never promise a time. Once you know all three, call talk_to_a_person with them as the reason; do so at once when somebody asks for a person.',
  '["chatapp"]', '[{"provider": "chatapp"}]', '[]', null,
  '{"greeting": "Hello! I take down what you need, and a colleague fixes the time with you.", "burst_seconds": 2}',
  '{"disclaimer": "You are writing with an automated assistant."}',
  '[]', null, '[]'
), (
  'b2f7c0d4-6a1e-4f39-9c58-0d7e1a4b9302', '4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', true,
  'Order desk',
  'Answers questions about orders from an MCP server of yours; a cancellation waits for a person. Override mcp_servers with your server''s address, and the names of its tools there and in approval_rules; its token is the connection "orders".',
  'You answer questions about orders. Ask for the order''s number if it is missing. Say only what the tools tell you. '
  'Cancel an order only when the sender asks for it in plain words; a person approves it first, and you say so.',
  '["chatapp"]', '[{"provider": "chatapp"}]', '[]', null, null, null,
  '[{"name": "orders", "url": "https://orders.example.com/mcp", "provider": "orders", "allowed_tools": ["find_order", "cancel_order"]}]',
  '{"require": [{"tool": "orders__cancel_order", "by": "person", "expires_minutes": 1440}]}', '[]'
), (
  'b2f7c0d4-6a1e-4f39-9c58-0d7e1a4b9303', '4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', true,
  'Document desk',
  'Answers questions from the documents in folders of the customer''s drive, for people whom the customer knows. Override data_access.folder_ids with the folders; until then none is open.',
  'You answer questions from the customer''s documents. Find the document with find_file, read it with read_file, and answer from it alone, '
  'with the document''s name. If no document says it, say so.',
  '["chatapp"]', '[{"provider": "chatapp"}]', '["drive_search"]', '{"folder_ids": []}', null, null,
  '[]', null, '[]'
), (
  'b2f7c0d4-6a1e-4f39-9c58-0d7e1a4b9304', '4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', true,
  'Daily summary',
  'Reads the document "today" of the customer''s drive every morning and sends a summary. Override trigger_templates with its one element and `to`, the address of an identity; add `template`, which the channel has approved, for people who have not written for 24 hours.',
  'You sum up documents for a busy person: at most five short sentences, the most urgent first, nothing that the document does not say.',
  '["chatapp"]', '[{"provider": "chatapp"}]', '["drive_search"]', null, null, null, '[]', null,
  '[{"name": "daily summary", "schedule": "0 7 * * 1-5", "prompt": "Read the document \"today\" with read_file and sum it up."}]'
);

-- The triggers that keep revisions and counts come later.
insert into recipe_revisions (tenant_id, recipe_id, revision, content, created_at)
select tenant_id, id, revision,
       to_jsonb(r) - array['id', 'tenant_id', 'revision', 'is_platform_template', 'deleted_at', 'created_at', 'updated_at'],
       updated_at
from recipes r;
insert into tenant_counts (tenant_id, name, used) select tenant_id, 'recipes', count(*) from recipes group by tenant_id;
reset role;
