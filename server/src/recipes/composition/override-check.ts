import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import {
  CONFIGURATION_FIELDS,
  type ConfigurationField,
  expectedInstead,
  type FieldKind,
} from './composition-fields.ts';
import { invalidOverride, unknownField, type Violation } from './violations.ts';

export interface CheckedOverrides {
  /** The overrides that fit their field; null asks for removal. */
  patches: ReadonlyMap<ConfigurationField, unknown>;
  violations: Violation[];
}

interface Fault {
  path: string;
  expected: string;
}

const FIELDS = new Map<string, (typeof CONFIGURATION_FIELDS)[number]>(
  CONFIGURATION_FIELDS.map((field) => [field.name, field]),
);

/** Parts overrides into what can be applied and violations that say why the rest was not. All faults are listed. */
export function checkOverrides(overrides: JsonObject): CheckedOverrides {
  const patches = new Map<ConfigurationField, unknown>();
  const violations: Violation[] = [];
  for (const [key, value] of Object.entries(overrides)) {
    const field = FIELDS.get(key);
    if (field === undefined) {
      violations.push(unknownField(jsonPointer(key), key));
      continue;
    }
    const found = violations.length;
    for (const { path, expected } of faultsOf(field.kind, value, jsonPointer(key))) {
      violations.push(invalidOverride(path, key, expected));
    }
    if (violations.length === found) patches.set(field.name, value);
  }
  return { patches, violations };
}

function* faultsOf(kind: FieldKind, value: unknown, path: string): Generator<Fault> {
  if (value === null) return;
  const expected = expectedInstead(kind, value);
  if (expected !== undefined) {
    yield { path, expected };
    return;
  }
  if (kind === 'sidecars' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* sidecarFaults(item, path + jsonPointer(index));
  }
  yield* numberFaults(value, path);
}

/** `{name, port 1-65535, path, health, runtime}`, name required (contract 4). */
function* sidecarFaults(item: unknown, path: string): Generator<Fault> {
  if (!isJsonObject(item)) {
    yield { path, expected: 'an object with a name and a port' };
    return;
  }
  const { name, port = null } = item;
  if (typeof name !== 'string' || name === '') yield { path: `${path}/name`, expected: 'a name' };
  if (port !== null && !isPort(port)) {
    yield { path: `${path}/port`, expected: 'a whole number from 1 to 65535' };
  }
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535;
}

/** JSON.parse reads 1e999 as Infinity, which no JSON text can hold again: neither storage nor the plan's hash could keep it. */
function* numberFaults(value: unknown, path: string): Generator<Fault> {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    yield { path, expected: 'a number in the range of a double' };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) yield* numberFaults(child, path + jsonPointer(key));
  }
}
