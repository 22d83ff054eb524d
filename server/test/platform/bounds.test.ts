import { expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';

interface Shape {
  type?: string | string[];
  anyOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Shape;
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
  'x-max-bytes'?: number;
}

/** Formats whose texts are short. */
const SHORT_FORMATS = new Set(
  'uuid date day-or-time expiry country-code currency-code time-zone locale date-time http-url'.split(' '),
);

/** Documents that are measured as a whole, with their lists (recipe-limits.test.ts, templates.test.ts). */
const DOCUMENTS = [
  /^(?:(?:create|update)_recipe body|compose_recipe body\.recipe)\.\w+(?:\[\](?:\.health)?)?$/,
  /^(?:compose_recipe|check_deploy|deploy_recipe|upgrade_instance) body\.instance_overrides$/,
  /^(?:create|update)_rules_template body\.rules$/,
  /^replace_customer_(?:rules|config) body$/,
];

/** As large as a request may be: a PIN is then a wrong one, and messages may contain images. */
const OF_A_REQUEST = [
  'set_identity_pin body.current_pin',
  'verify_pin body.pin',
  'complete_chat body.messages[]',
];

const isShort = ({ enum: values, const: value, format = '', maxLength, 'x-max-bytes': bytes }: Shape) =>
  (values ?? value ?? maxLength ?? bytes) !== undefined || SHORT_FORMATS.has(format);

/** Places in a request where a text, a list or an object may have any size. */
function* unbounded(shape: Shape, place: string): Generator<string> {
  if (shape['x-max-bytes'] !== undefined && shape.type !== 'array') return;
  if (shape.anyOf) {
    for (const one of shape.anyOf) yield* unbounded(one, place);
    return;
  }
  const types = [shape.type ?? 'anything'].flat();
  if (types.includes('string') && !isShort(shape)) yield `${place} (text)`;
  if (types.includes('array')) {
    if (shape.maxItems === undefined) yield `${place} (list)`;
    if (shape['x-max-bytes'] === undefined) yield* unbounded(shape.items ?? {}, `${place}[]`);
  }
  if (types.includes('object')) {
    if (shape.additionalProperties) yield `${place} (object)`;
    for (const [name, property] of Object.entries(shape.properties ?? {}))
      yield* unbounded(property, `${place}.${name}`);
  }
  if (types.includes('anything') && !isShort(shape)) yield `${place} (anything)`;
}

const isOther = (place: string) =>
  DOCUMENTS.some((document) => document.test(place)) || OF_A_REQUEST.includes(place);

it('every text, list and object of a body has a bound', () => {
  const places = operations.flatMap(({ id, body }) => [
    ...unbounded((body ?? { enum: [] }) as Shape, `${id} body`),
  ]);
  expect(places.filter((place) => !isOther(place.replace(/ \(\w+\)$/, '')))).toEqual([]);
});
