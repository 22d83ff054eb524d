import { isUuid } from '../contract/formats.ts';

interface Shape {
  format?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
}

const CAPITAL = /[A-F]/;

/**
 * Lower-cases ids (format uuid) of valid values in place: UUIDs are case-insensitive (RFC 9562, section 4), but the
 * database compares text.
 */
export function uuidNormalizer(shape: Shape | undefined): (values: unknown) => void {
  const fields = Object.entries(shape?.properties ?? {}).filter(([, field]) => isId(field));
  const names = fields.map(([name]) => name);
  return (values) => {
    for (const name of names) normalizeUuid(values as Record<string, unknown>, name);
  };
}

/** Includes nullable ids. */
const isId = ({ format, anyOf = [] }: Shape): boolean => format === 'uuid' || anyOf.some(isId);

function normalizeUuid(values: Record<string, unknown>, name: string): void {
  const id = values[name];
  if (typeof id === 'string' && CAPITAL.test(id) && isUuid(id)) values[name] = id.toLowerCase();
}
