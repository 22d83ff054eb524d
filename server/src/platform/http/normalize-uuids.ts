import { isUuid } from '../contract/formats.ts';

interface Shape {
  format?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  items?: Shape;
}

/** Changes a value in place where it holds others; an id is returned. */
type Normalizer = (value: unknown) => unknown;

const CAPITAL = /[A-F]/;

/**
 * Lower-cases ids (format uuid) of valid values in place: UUIDs are case-insensitive (RFC 9562, section 4), but the
 * database compares text.
 */
export function uuidNormalizer(shape: Shape | undefined): (values: unknown) => void {
  const normalize = shape && normalizerOf(shape);
  return (values) => void normalize?.(values);
}

/** Undefined for a shape without ids. Nullable ids are ids. */
function normalizerOf({ format, anyOf = [], properties = {}, items }: Shape): Normalizer | undefined {
  if (format === 'uuid') return lowerCased;
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const normalize = normalizerOf(field);
    return normalize ? [[name, normalize] as const] : [];
  });
  const ofItem = items && normalizerOf(items);
  const ofOthers = anyOf.flatMap((each) => normalizerOf(each) ?? []);
  if (fields.length === 0 && !ofItem && ofOthers.length === 0) return undefined;
  return (value) => {
    if (ofItem && Array.isArray(value)) value.forEach((item, at) => (value[at] = ofItem(item)));
    else if (typeof value === 'object' && value !== null) normalizeFields(value as Fields, fields);
    return ofOthers.reduce((given, normalize) => normalize(given), value);
  };
}

type Fields = Record<string, unknown>;

function normalizeFields(values: Fields, fields: readonly (readonly [string, Normalizer])[]): void {
  for (const [name, normalize] of fields) {
    if (values[name] !== undefined && values[name] !== null) values[name] = normalize(values[name]);
  }
}

const lowerCased: Normalizer = (id) =>
  typeof id === 'string' && CAPITAL.test(id) && isUuid(id) ? id.toLowerCase() : id;
