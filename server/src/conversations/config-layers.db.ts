import { fragment } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

/** Layers of a customer's configuration, weakest first, reduced to what is asked for. */
export interface ConfigLayers {
  defaults: JsonObject;
  /** The deployment’s; fields that are unset are absent. */
  resolved_config: JsonObject;
  own: JsonObject;
}

const ifPresent = (config: string, field: string) =>
  `case when ${config} ? '${field}' then jsonb_build_object('${field}', ${config} -> '${field}') else '{}' end`;

const ifNotNull = (config: string, field: string) =>
  `case when jsonb_typeof(${config} -> '${field}') <> 'null' then jsonb_build_object('${field}', ${config} -> '${field}') else '{}' end`;

/** The layers of one field as columns: of a tenant `t`, a deployment `d` and a customer `u`. */
export const layersOf = (field: 'channel_config' | 'compliance_config' | 'trigger_templates') =>
  fragment(`${ifPresent('t.defaults', field)} as defaults, ${ifNotNull('d.resolved_config', field)} as resolved_config,
           ${ifPresent('u.config', field)} as own`);
