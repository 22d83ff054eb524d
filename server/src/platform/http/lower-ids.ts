import { isUuid } from '../contract/formats.ts';

interface Shape {
  format?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
}

const CAPITAL = /[A-F]/;

/**
 * What lowers the ids (format uuid) among the fields of valid values of a shape, in place: an id is the same in either
 * case (RFC 9562, section 4), a text is not, and we compare texts. Which fields those are is looked at once.
 */
export function idLowering(shape: Shape | undefined): (values: unknown) => void {
  const fields = Object.entries(shape?.properties ?? {}).filter(([, field]) => isId(field));
  const names = fields.map(([name]) => name);
  return (values) => {
    for (const name of names) lowerId(values as Record<string, unknown>, name);
  };
}

/** Also one that may be null. */
const isId = ({ format, anyOf = [] }: Shape): boolean => format === 'uuid' || anyOf.some(isId);

function lowerId(values: Record<string, unknown>, name: string): void {
  const id = values[name];
  if (typeof id === 'string' && CAPITAL.test(id) && isUuid(id)) values[name] = id.toLowerCase();
}
