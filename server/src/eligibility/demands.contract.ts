import Type, { type Static } from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { about, Literals, within } from '../platform/contract/shapes.ts';

/** Limit of a requirement, and of a request. */
export const MOST_DEMANDS = 50;
const MOST_DEMANDS_BYTES = 16 * 1024;
const MOST_ALTERNATIVES = 10;

export const TEXT_KINDS = ['skill', 'certification', 'induction', 'role'] as const;
export const PLACE_KINDS = ['on_shift', 'assigned'] as const;
export const DEMAND_KINDS = [...TEXT_KINDS, 'tier', ...PLACE_KINDS] as const;
export type DemandKind = (typeof DEMAND_KINDS)[number];

const Kind = about(
  Literals(DEMAND_KINDS),
  'skill, certification, induction and role take a text, tier the least one (1 to 5), on_shift and assigned nothing',
);
const Value = about(
  Type.Optional(Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })),
  'A text, which is compared without case, or the least tier',
);

export const DemandAlternative = NamedObject('DemandAlternative', { kind: Kind, value: Value });

/** Either `kind` or `any_of`: a union would report a fault twice. */
export const DemandRequest = NamedObject('Demand', {
  kind: Type.Optional(Kind),
  value: Value,
  any_of: about(
    Type.Optional(Type.Array(DemandAlternative, { minItems: 2, maxItems: MOST_ALTERNATIVES })),
    'Instead of `kind`: demands of which one is enough',
  ),
});
export type DemandRequest = Static<typeof DemandRequest>;

const demands = (options: Record<string, string> = {}) =>
  within(MOST_DEMANDS_BYTES, Type.Array(DemandRequest, { maxItems: MOST_DEMANDS, ...options }));

export const Demands = demands();
/** Explained to models beside put_requirement alone. */
export const RequestedDemands = demands({ 'x-fields-of': 'put_requirement' });

/** As it is stored. */
export interface SimpleDemand {
  kind: DemandKind;
  /** null for on_shift and assigned. */
  value: string | number | null;
}
export type Demand = SimpleDemand | { any_of: SimpleDemand[] };
