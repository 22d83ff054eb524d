-- The platform's own tenant holds the templates that everybody may deploy. It has no secrets, so no data key.
set local role acp_system;
insert into tenants (id, name, wrapped_key, is_platform)
values ('4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', 'Platform', '', true);
reset role;

grant insert on recipes, recipe_revisions to acp_system;
set local role acp_system;
insert into recipes (id, tenant_id, is_platform_template, name, description, system_prompt,
                     channel_types, connection_requirements, skills, model_policy)
values (
  '8d0c9a52-3c0f-4e0b-8d5c-5f1f3e7a6b02', '4c6f0b1e-7d1a-4c58-9f0e-2b7a6a1d9e01', true,
  'Crew desk', 'Answers a crew in the chat app: who is qualified, who works when, hours worked.',
  'You help the crew of a company. Answer briefly. Use the tools; never guess names, times or hours.',
  '["chatapp"]', '[{"provider": "chatapp"}]',
  '["staff_query", "worker_shifts", {"slug": "timesheet", "pin_required": true}]', '{"model": "gpt-5-mini"}'
);
reset role;
