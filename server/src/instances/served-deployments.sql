-- The read interface for other rooms: deployments that instances serve now. A customer may have several on one instance; the
-- newest applies.
create or replace view served_deployments with (security_invoker = true) as
  select id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname, resolved_config, instance_overrides,
         retention_days, onboarding_flow_id, triggers_since, created_at
  from deployments where released_at is null;

grant select on served_deployments to acp_tenant, acp_system;
