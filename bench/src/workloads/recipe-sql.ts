import { ID_BASE, RECIPE_ID_PREFIX, RECIPES_PER_TENANT, TENANT_ID_PREFIX } from '../data.ts';

/** As the service selects them (server/src/recipes/recipes.db.ts). */
export const COLUMNS =
  `id, tenant_id, revision, is_platform_template, created_at, updated_at, name, description,
  hosting_mode, shared_node_capacity, is_active, source_instance_id, system_prompt, manifest_id, onboarding_flow_id,
  rules_template_id, approval_rules, channel_config, compliance_config, data_access, model_policy, module_config,
  voice_config, channel_types, connection_requirements, mcp_servers, skills, trigger_templates, workflow_slugs,
  sidecars`.replaceAll(/\s+/g, ' ');

/**
 * One transaction of one tenant in four round trips, as a program sends it that sets the tenant's role. In pgbench a
 * statement ends at a newline only after a semicolon.
 */
export function transaction(tenants: { from: number; to: number }, statement: string): string {
  return `\\set tenant random(${tenants.from}, ${tenants.to})
\\set recipe ${ID_BASE} + :tenant * 1000 + random(0, ${RECIPES_PER_TENANT - 1})
\\set tenant ${ID_BASE} + :tenant
begin;
select set_config('role', 'acp_tenant', true), set_config('app.tenant_id', '${TENANT_ID_PREFIX}' || :tenant::text, true);
${statement.replaceAll(/\s+/g, ' ')};
commit;
`;
}

export const RECIPE_ID = `('${RECIPE_ID_PREFIX}' || :recipe::text)::uuid`;
export const TENANT_ID = `('${TENANT_ID_PREFIX}' || :tenant::text)::uuid`;
