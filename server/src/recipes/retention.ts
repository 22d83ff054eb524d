import type { JsonObject } from '../platform/json/json-object.ts';
import { readComplianceConfig } from './fields/compliance-config.ts';

/** An invalid value is 0 (contract, section 12). */
export const retentionDays = (config: JsonObject): number => readComplianceConfig(config).retention_days;
