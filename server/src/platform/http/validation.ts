import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { formats } from '../contract/formats.ts';
import type { Operation } from '../contract/operation.ts';
import { isOptionalBody, requestSchema } from '../contract/request-schema.ts';
import { type Fault, missingFault, ValidationError } from '../errors.ts';
import { NO_LIMIT, sizeOf } from '../json/json-size.ts';
import { toFaults } from './faults.ts';
import { invalidTextFaults } from './json-safety.ts';
import { uuidNormalizer } from './normalize-uuids.ts';

/** Placeholder for an invalid body, which validation reports with the other errors. */
export class InvalidJson {
  readonly fault: Fault;

  /** @param reason the parser's message, or the fault */
  constructor(reason: string | Fault) {
    if (typeof reason !== 'string') {
      this.fault = reason;
      return;
    }
    const position = /position (\d+)/.exec(reason)?.[1];
    this.fault = {
      loc: position === undefined ? ['body'] : ['body', position],
      msg: 'JSON decode error',
      type: 'json_invalid',
    };
  }
}

export interface RequestParts {
  params: unknown;
  query: unknown;
  body: unknown;
}

const NO_FAULTS: readonly Fault[] = [];

type Part = 'path' | 'query' | 'body';

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  removeAdditional: false,
  formats,
});

ajv.addKeyword({
  keyword: 'x-max-bytes',
  schemaType: 'number',
  error: { message: 'Value is too large' },
  validate: (bytes: number, value: unknown) =>
    typeof value === 'string'
      ? Buffer.byteLength(value) <= bytes
      : sizeOf(value, { ...NO_LIMIT, bytes }).bytes <= bytes,
});

ajv.addKeyword({
  keyword: 'x-words',
  schemaType: 'array',
  type: 'string',
  error: { message: 'Value has another word' },
  validate: (words: readonly string[], text: string) => text.split(',').every((word) => words.includes(word)),
});

/**
 * Validates requests of an operation. Throws a ValidationError with the errors of all parts (contract, section 1), or
 * returns the parts with parsed text, defaults and ids in lower case.
 */
export function requestValidator(operation: Operation): (parts: RequestParts) => RequestParts {
  const checkParams = partValidator('path', operation.params);
  const checkQuery = partValidator('query', operation.query);
  const checkBody = partValidator('body', operation.body);
  const parseParams = textParser(operation.params);
  const parseQuery = textParser(operation.query);
  const normalizeParams = uuidNormalizer(operation.params);
  const normalizeQuery = uuidNormalizer(operation.query);
  const normalizeBody = uuidNormalizer(operation.body);
  const mayLackBody = operation.body !== undefined && isOptionalBody(operation.body);
  return (parts) => {
    const params = parseParams(parts.params);
    const query = parseQuery(parts.query);
    const body = parts.body === undefined && mayLackBody ? {} : parts.body;
    const faults = [...checkParams(params), ...checkQuery(query), ...checkBody(body)];
    if (faults.length > 0) throw new ValidationError(faults);
    normalizeParams(params);
    normalizeQuery(query);
    normalizeBody(body);
    return { params, query, body };
  };
}

/**
 * Errors are located below `part`. Compiles at first use, because most operations are rarely called and compiled
 * schemas stay in memory.
 */
export function partValidator(part: Part, schema: TSchema | undefined): (value: unknown) => readonly Fault[] {
  if (!schema) return (value) => (value instanceof InvalidJson ? [value.fault] : NO_FAULTS);
  let validate: (ValidateFunction & { errors?: ErrorObject[] | null }) | undefined;
  return (value) => {
    if (value instanceof InvalidJson) return [value.fault];
    if (value === undefined) return [missingFault(part)];
    const textFaults = invalidTextFaults(part, value);
    validate ??= ajv.compile(requestSchema(schema));
    if (validate(value)) return textFaults;
    return [...toFaults(part, schema, validate.errors ?? []), ...textFaults];
  };
}

/** Parses path and query. Invalid text, repeated parameters and other values (arguments of tools) are unchanged. */
function textParser(schema: TSchema | undefined): (values: unknown) => Record<string, unknown> {
  const { properties = {} }: { properties?: Record<string, { type?: string }> } = schema ?? {};
  const types = Object.entries(properties).map(([name, { type }]) => [name, type] as const);
  return (values) => {
    const given = values as Record<string, unknown>;
    const parsed: Record<string, unknown> = {};
    for (const [name, type] of types) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value !== undefined) parsed[name] = typeof value === 'string' ? parseText(type, value) : value;
    }
    return parsed;
  };
}

function parseText(type: string | undefined, text: string): unknown {
  if (type === 'integer' && /^[+-]?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
