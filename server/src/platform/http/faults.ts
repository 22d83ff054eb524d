import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type Fault, missingFault, valueFault } from '../errors.ts';

interface PropertySchema {
  format?: string;
  enum?: unknown[];
  properties?: Record<string, unknown>;
}

const formatFaults: Record<string, [type: string, msg: string]> = {
  uuid: ['uuid_parsing', 'Input should be a valid UUID'],
  date: ['date_from_datetime_parsing', 'Input should be a valid date in the format YYYY-MM-DD'],
  'date-time': ['value_error', 'Input should be a valid datetime in ISO 8601'],
  expiry: ['value_error', 'value is neither a date (YYYY-MM-DD) nor a datetime in ISO 8601'],
  'day-or-time': ['value_error', 'value is neither a date (YYYY-MM-DD) nor a datetime in ISO 8601'],
  'named-end': [
    'value_error',
    'what stands behind the last colon is no day that can be read in one way alone (YYYY-MM-DD)',
  ],
  email: ['value_error', 'value is not a valid email address'],
  'country-code': ['value_error', 'value is not an ISO 3166-1 alpha-2 country code'],
  'currency-code': ['value_error', 'value is not an ISO 4217 currency code'],
  'http-url': ['value_error', 'Input should be an http or https URL'],
  'time-zone': ['value_error', 'value is not an IANA time zone'],
  locale: ['value_error', 'value is not a BCP 47 language tag'],
};

const typeFaults: Record<string, [type: string, msg: string]> = {
  string: ['string_type', 'Input should be a valid string'],
  number: ['float_type', 'Input should be a valid number'],
  integer: ['int_type', 'Input should be a valid integer'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['dict_type', 'Input should be a valid dictionary'],
};

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** Converts Ajv's errors to Pydantic v2's: one per location, in schema order. */
export function toFaults(part: string, schema: TSchema, errors: readonly ErrorObject[]): Fault[] {
  const order = Object.keys((schema as PropertySchema).properties ?? {});
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    if (isUnionNoise(error)) continue;
    const fault = toFault(part, error);
    const key = JSON.stringify(fault.loc);
    if (!faults.has(key)) faults.set(key, fault);
  }
  const rank = (fault: Fault) => order.indexOf(fault.loc[1] ?? '');
  return [...faults.values()].toSorted((a, b) => rank(a) - rank(b));
}

/**
 * For `X
 * null` only errors of X are reported.
 */
function isUnionNoise(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null');
}

function toFault(part: string, error: ErrorObject): Fault {
  const path = error.instancePath.split('/').slice(1);
  const loc = [part, ...path.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))];
  if (error.keyword === 'required') return missingFault(...loc, String(error.params.missingProperty));
  if (error.keyword === 'additionalProperties') {
    return valueFault([...loc, String(error.params.additionalProperty)], 'Input has no such member');
  }
  // The parser of queries gives the values of a repeated parameter as a list, and no parameter is one.
  if (part === 'query' && path.length === 1 && Array.isArray(error.data)) {
    return valueFault(loc, 'Parameter is given more than once: separate several values by commas');
  }
  const [type, msg] = describe(part, error);
  return { loc, msg, type };
}

function describe(part: string, error: ErrorObject): [type: string, msg: string] {
  const { keyword } = error;
  const params = error.params as Record<string, unknown>;
  const limit = Number(params.limit);
  switch (keyword) {
    case 'type':
      return describeType(part, error);
    case 'format':
      return formatFaults[String(params.format)] ?? ['value_error', 'Input is not valid'];
    case 'minLength':
      return ['string_too_short', `String should have at least ${plural(limit, 'character')}`];
    case 'maxLength':
      return ['string_too_long', `String should have at most ${plural(limit, 'character')}`];
    case 'pattern':
      return ['string_pattern_mismatch', `String should match pattern '${String(params.pattern)}'`];
    case 'minItems':
      return ['too_short', `List should have at least ${plural(limit, 'item')}`];
    case 'maxItems':
      return ['too_long', `List should have at most ${plural(limit, 'item')}`];
    case 'x-max-bytes':
      return ['too_long', `Value should have at most ${Number(error.schema) / 1024} KiB`];
    case 'x-words':
      return literalFault(error.schema);
    case 'minimum':
      return ['greater_than_equal', `Input should be greater than or equal to ${limit}`];
    case 'maximum':
      return ['less_than_equal', `Input should be less than or equal to ${limit}`];
    case 'exclusiveMinimum':
      return ['greater_than', `Input should be greater than ${limit}`];
    case 'enum':
    case 'const':
      return literalFault(params.allowedValues ?? [params.allowedValue]);
    default:
      return ['value_error', error.message ?? 'Input is not valid'];
  }
}

function describeType(part: string, error: ErrorObject): [type: string, msg: string] {
  const expected = String(error.params.type);
  const { format, enum: literals } = (error.parentSchema ?? {}) as PropertySchema;
  if (literals) return literalFault(literals);
  if (format === 'uuid') return formatFaults.uuid as [string, string];
  if (expected === 'integer' && part !== 'body') {
    return ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'];
  }
  return typeFaults[expected] ?? ['value_error', 'Input has the wrong type'];
}

function literalFault(allowed: unknown): [type: string, msg: string] {
  const quoted = (allowed as unknown[]).map((value) => `'${String(value)}'`);
  const options =
    quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : String(quoted[0]);
  return ['literal_error', `Input should be ${options}`];
}
