import type { JsonObject } from '../platform/json/json-object.ts';
import { readComplianceConfig } from './fields/compliance-config.ts';

/** How many days contents are kept; a broken value keeps nothing (contract, section 12). */
export const retentionDays = (config: JsonObject): number => readComplianceConfig(config).retention_days;
