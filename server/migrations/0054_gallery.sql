-- oldest service: 0053
-- Four more templates of the platform, beside the Crew desk. What an override has to say stands in each description.
-- The trigger that keeps revisions deletes old ones.
grant delete on recipe_revisions to acp_system;
set local role acp_system;
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
reset role;
revoke delete on recipe_revisions from acp_system;

-- A new tenant may use the Order desk's server as it is named there.
insert into default_primitives (kind, slug, display_name) values ('mcp_server', 'orders', 'Orders of a shop');
