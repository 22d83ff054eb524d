import { EntitySchema } from 'typeorm';

const text = { type: 'text', nullable: true };
const json = { type: 'jsonb', nullable: true };
const list = { type: 'jsonb', default: [] };
const uuid = { type: 'uuid', nullable: true };

export const Recipe = new EntitySchema({
  name: 'Recipe',
  tableName: 'recipes',
  columns: {
    id: { type: 'uuid', primary: true, generated: 'uuid' },
    tenant_id: { type: 'uuid' },
    revision: { type: 'integer', default: 1 },
    is_platform_template: { type: 'boolean', default: false },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
    deleted_at: { type: 'timestamptz', deleteDate: true, nullable: true, select: false },
    name: { type: 'text' },
    description: text,
    hosting_mode: { type: 'text', default: 'dedicated' },
    shared_node_capacity: { type: 'integer', default: 50 },
    is_active: { type: 'boolean', default: true },
    source_instance_id: uuid,
    system_prompt: text,
    manifest_id: text,
    onboarding_flow_id: uuid,
    rules_template_id: uuid,
    approval_rules: json,
    channel_config: json,
    compliance_config: json,
    data_access: json,
    model_policy: json,
    module_config: json,
    voice_config: json,
    channel_types: list,
    connection_requirements: list,
    mcp_servers: list,
    skills: list,
    trigger_templates: json,
    workflow_slugs: list,
    sidecars: list,
  },
});

export const ApiKey = new EntitySchema({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    id: { type: 'uuid', primary: true },
    tenant_id: { type: 'uuid' },
    key_hash: { type: 'bytea' },
    revoked_at: { type: 'timestamptz', nullable: true },
  },
});
