create table primitives (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  kind text not null check (kind in ('skill', 'channel', 'integration', 'mcp_server', 'workflow', 'model', 'sidecar_runtime')),
  slug text not null,
  display_name text,
  created_at timestamptz not null default now(),
  constraint primitives_slug unique (tenant_id, kind, slug)
);
call enable_tenant_rls('primitives');
grant insert on primitives to acp_system;

-- What a new tenant starts with (contract, section 10); also the catalogue of the AI assist.
create table default_primitives (
  kind text not null,
  slug text not null,
  display_name text not null,
  primary key (kind, slug)
);
grant select on default_primitives to acp_system, acp_tenant;

insert into default_primitives (kind, slug, display_name) values
  ('skill', 'staff_query', 'Find staff by skill, site and certificate'),
  ('skill', 'worker_shifts', 'A worker''s own shifts, assignments and certificates'),
  ('skill', 'timesheet', 'A worker''s own timesheets'),
  ('skill', 'drive_search', 'Search and read the customer''s drive'),
  ('skill', 'faq', 'Answer frequent questions'),
  ('skill', 'appointment_booking', 'Book and move appointments'),
  ('skill', 'lead_capture', 'Take down leads'),
  ('skill', 'order_status', 'Report the state of an order'),
  ('channel', 'chatapp', 'Chat app'),
  ('channel', 'webchat', 'Chat on a website'),
  ('channel', 'email', 'E-mail'),
  ('channel', 'sms', 'Text message'),
  ('channel', 'voice', 'Telephone'),
  ('integration', 'chatapp', 'Chat app send API'),
  ('integration', 'google_drive', 'Google Drive'),
  ('integration', 'filesystem', 'Files on the service''s own disk'),
  ('integration', 'google_calendar', 'Google Calendar'),
  ('integration', 'hubspot', 'HubSpot'),
  ('mcp_server', 'control-plane', 'This control plane''s own tools'),
  ('workflow', 'onboarding', 'Welcome a new customer'),
  ('workflow', 'daily_summary', 'Summary of the day'),
  ('workflow', 'cert_expiry_reminder', 'Remind of certificates that run out'),
  ('model', 'gpt-5', 'GPT-5'),
  ('model', 'gpt-5-mini', 'GPT-5 mini'),
  ('model', 'claude-sonnet-4-5', 'Claude Sonnet 4.5'),
  ('model', 'claude-haiku-4-5', 'Claude Haiku 4.5'),
  ('model', 'gemini-2.5-pro', 'Gemini 2.5 Pro'),
  ('model', 'gemini-2.5-flash', 'Gemini 2.5 Flash'),
  ('sidecar_runtime', 'node', 'Node.js'),
  ('sidecar_runtime', 'python', 'Python');
