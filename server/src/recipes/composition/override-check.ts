import { isUuid } from '../../platform/contract/formats.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import { CONFIGURATION_FIELDS, type ConfigurationField, IDLE_MINUTES } from '../recipe-fields.contract.ts';
import { invalidOverride, unknownField, type Violation } from './violations.ts';

type FieldName = ConfigurationField['name'];
type FieldKind = ConfigurationField['kind'];

interface CheckedOverrides {
  /** Valid overrides; null removes. */
  patches: ReadonlyMap<FieldName, unknown>;
  violations: Violation[];
}

interface Fault {
  path: string;
  expected: string;
}

const FIELDS = new Map<string, ConfigurationField>(CONFIGURATION_FIELDS.map((field) => [field.name, field]));

const isString = (value: unknown) => typeof value === 'string';
const text = { expected: 'a string', accepts: isString };
const PORTS = { minimum: 1, maximum: 65_535 };
const array = { expected: 'an array', accepts: Array.isArray };

/** Besides null. */
const RULES: Readonly<Record<FieldKind, { expected: string; accepts: (value: unknown) => boolean }>> = {
  text,
  label: text,
  uuid: { expected: 'a UUID', accepts: (value) => isString(value) && isUuid(value) },
  object: { expected: 'an object', accepts: isJsonObject },
  list: array,
  sidecars: array,
  idle_minutes: {
    expected: `a whole number from ${IDLE_MINUTES.minimum} to ${IDLE_MINUTES.maximum}`,
    accepts: (value) => isWholeNumber(value, IDLE_MINUTES),
  },
};

/** Separates applicable overrides from violations. Lists all errors. */
export function checkOverrides(overrides: JsonObject): CheckedOverrides {
  const patches = new Map<FieldName, unknown>();
  const violations: Violation[] = [];
  for (const [key, value] of Object.entries(overrides)) {
    const field = FIELDS.get(key);
    if (field === undefined) {
      violations.push(unknownField(jsonPointer(key), key));
      continue;
    }
    const faults = faultsOf(field.kind, value, jsonPointer(key));
    if (faults.length === 0) patches.set(field.name, value);
    for (const { path, expected } of faults) violations.push(invalidOverride(path, key, expected));
  }
  return { patches, violations };
}

function faultsOf(kind: FieldKind, value: unknown, path: string): Fault[] {
  if (value === null) return [];
  const { expected, accepts } = RULES[kind];
  if (!accepts(value)) return [{ path, expected }];
  if (kind !== 'sidecars' || !Array.isArray(value)) return [];
  return value.flatMap((item, index) => sidecarFaults(item, path + jsonPointer(index)));
}

/** `{name, port 1-65535, path, health, runtime}`, name required (contract 4). */
function sidecarFaults(item: unknown, path: string): Fault[] {
  if (!isJsonObject(item)) return [{ path, expected: 'an object with a name and a port' }];
  const { name, port = null } = item;
  const faults: Fault[] = [];
  if (typeof name !== 'string' || name === '') faults.push({ path: `${path}/name`, expected: 'a name' });
  if (port !== null && !isWholeNumber(port, PORTS)) {
    faults.push({ path: `${path}/port`, expected: 'a whole number from 1 to 65535' });
  }
  return faults;
}

function isWholeNumber(value: unknown, { minimum, maximum }: { minimum: number; maximum: number }): boolean {
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
}
