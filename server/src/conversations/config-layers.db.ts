import { fragment } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

/** Layers of one field of a customer's configuration, weakest first. */
export interface ConfigLayers {
  defaults: JsonObject;
  /** The deployment's; unset fields are absent. */
  resolved_config: JsonObject;
  own: JsonObject;
}

const ifPresent = (config: string, field: string) =>
  `case when ${config} ? '${field}' then jsonb_build_object('${field}', ${config} -> '${field}') else '{}' end`;

const ifNotNull = (config: string, field: string) =>
  `case when jsonb_typeof(${config} -> '${field}') <> 'null' then jsonb_build_object('${field}', ${config} -> '${field}') else '{}' end`;

/** The strongest layer's list of a tenant `t`, a deployment `d` and a customer `u`; null for none. A merge patch replaces lists whole. */
export const listOf = (field: 'trigger_templates') =>
  fragment(`case when u.config ? '${field}' then u.config -> '${field}'
                 when jsonb_typeof(d.resolved_config -> '${field}') <> 'null' then d.resolved_config -> '${field}'
                 else t.defaults -> '${field}' end`);

/** Columns for a tenant `t`, a deployment `d` and a customer `u`. */
export const layersOf = (field: 'channel_config' | 'compliance_config' | 'trigger_templates') =>
  fragment(`${ifPresent('t.defaults', field)} as defaults, ${ifNotNull('d.resolved_config', field)} as resolved_config,
           ${ifPresent('u.config', field)} as own`);
