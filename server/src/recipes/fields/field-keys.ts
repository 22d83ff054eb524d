import type { ConfigurationField } from '../recipe-fields.contract.ts';
import type { ActingKeys } from './acting-key.ts';
import { APPROVAL_RULES_KEYS } from './approval-rules.ts';
import { CHANNEL_CONFIG_KEYS } from './channel-config.ts';
import { COMPLIANCE_CONFIG_KEYS } from './compliance-config.ts';
import { CONNECTION_REQUIREMENTS_KEYS } from './connection-requirements.ts';
import { DATA_ACCESS_KEYS } from './data-access.ts';
import { MCP_SERVERS_KEYS } from './mcp-servers.ts';
import { MODEL_POLICY_KEYS } from './model-policy.ts';
import { SKILLS_KEYS } from './skills.ts';
import { TRIGGER_TEMPLATES_KEYS } from './trigger-templates.ts';

type FieldName = ConfigurationField['name'];

/** Acting keys of object fields. */
export const OBJECT_KEYS = {
  approval_rules: APPROVAL_RULES_KEYS,
  channel_config: CHANNEL_CONFIG_KEYS,
  compliance_config: COMPLIANCE_CONFIG_KEYS,
  data_access: DATA_ACCESS_KEYS,
  model_policy: MODEL_POLICY_KEYS,
} as const satisfies Partial<Record<FieldName, ActingKeys>>;

/** Acting keys of lists' elements. */
export const ELEMENT_KEYS = {
  connection_requirements: CONNECTION_REQUIREMENTS_KEYS,
  mcp_servers: MCP_SERVERS_KEYS,
  skills: SKILLS_KEYS,
  trigger_templates: TRIGGER_TEMPLATES_KEYS,
} as const satisfies Partial<Record<FieldName, ActingKeys>>;

/** Without one of these keys nothing acts on an element. */
export const REQUIRED_KEYS = {
  mcp_servers: ['name', 'url'],
  trigger_templates: ['name', 'schedule', 'prompt', 'to'],
} as const;
