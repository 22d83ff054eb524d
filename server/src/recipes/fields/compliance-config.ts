import Type from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { readKey } from './read-key.ts';

export const COMPLIANCE_CONFIG_KEYS = {
  retention_days: {
    by: 'control_plane',
    shape: Type.Integer({ minimum: 0, maximum: 365 }),
    expected: 'a whole number from 0 to 365; until then nothing is kept',
  },
  disclaimer: { by: 'control_plane', shape: Type.String(), expected: 'a text' },
  pin_enforced: { by: 'control_plane', shape: Type.Boolean(), expected: 'true or false' },
} satisfies ActingKeys;

const DEFAULT_RETENTION_DAYS = 30;

interface ComplianceConfig {
  /** An invalid value is 0 (contract, section 12). */
  retention_days: number;
  /** Below the agent's first answer. */
  disclaimer: string | undefined;
  pin_enforced: boolean;
}

export function readComplianceConfig({
  compliance_config,
}: {
  readonly compliance_config?: unknown;
}): ComplianceConfig {
  const config: JsonObject = isJsonObject(compliance_config) ? compliance_config : {};
  const { retention_days, disclaimer, pin_enforced } = COMPLIANCE_CONFIG_KEYS;
  const saysDays = (config.retention_days ?? null) !== null;
  return {
    retention_days: readKey(retention_days, config.retention_days) ?? (saysDays ? 0 : DEFAULT_RETENTION_DAYS),
    disclaimer: readKey(disclaimer, config.disclaimer) || undefined,
    pin_enforced: readKey(pin_enforced, config.pin_enforced) ?? false,
  };
}
