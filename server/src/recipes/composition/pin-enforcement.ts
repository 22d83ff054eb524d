import { jsonPointer } from '../../platform/json/json-pointer.ts';
import { readComplianceConfig } from '../fields/compliance-config.ts';

/** Makes the PIN policy of a new instance start enforced (contract, section 17). */
export const PIN_ENFORCED = jsonPointer('compliance_config', 'pin_enforced');

/** Any other value than true counts as absent. */
export const enforcesPins = (config: { readonly compliance_config?: unknown }): boolean =>
  readComplianceConfig(config).pin_enforced;
