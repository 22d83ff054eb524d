import { type Fault, missingFault, ValidationError, valueFault } from '../platform/errors.ts';
import {
  type Demand,
  type DemandRequest,
  PLACE_KINDS,
  type SimpleDemand,
  TEXT_KINDS,
} from './demands.contract.ts';

const MOST_CHARACTERS = 200;
const MOST_TIER = 5;

/** Kinds that have no value: the place is the one that is asked. */
const isOfPlace = (kind: SimpleDemand['kind']) => PLACE_KINDS.some((one) => one === kind);
const isText = (kind: SimpleDemand['kind']) => TEXT_KINDS.some((one) => one === kind);

/** As they are stored; 422 with every fault. @param loc of the list */
export function readDemands(given: readonly DemandRequest[], loc: readonly string[]): Demand[] {
  const faults = given.flatMap((demand, index) => faultsOf(demand, [...loc, String(index)]));
  if (faults.length > 0) throw new ValidationError(faults);
  return given.map(({ any_of, kind, value = null }) => {
    if (kind !== undefined) return { kind, value };
    return { any_of: (any_of ?? []).map((one) => ({ kind: one.kind, value: one.value ?? null })) };
  });
}

function faultsOf({ kind, value = null, any_of }: DemandRequest, loc: string[]): Fault[] {
  if (kind === undefined && any_of === undefined) return [missingFault(...loc, 'kind')];
  if (kind === undefined) {
    return (any_of ?? []).flatMap((one, index) =>
      faultsOfValue(one.kind, one.value ?? null, [...loc, 'any_of', String(index), 'value']),
    );
  }
  if (any_of !== undefined) return [valueFault([...loc, 'any_of'], 'A demand has either a kind or any_of')];
  return faultsOfValue(kind, value, [...loc, 'value']);
}

function faultsOfValue(kind: SimpleDemand['kind'], value: SimpleDemand['value'], loc: string[]): Fault[] {
  if (isOfPlace(kind)) return value === null ? [] : [valueFault(loc, `${kind} has no value`)];
  if (value === null) return [missingFault(...loc)];
  if (isText(kind)) {
    const fits = typeof value === 'string' && value.trim() !== '' && value.length <= MOST_CHARACTERS;
    return fits ? [] : [valueFault(loc, `${kind} has a text of 1 to ${MOST_CHARACTERS} characters`)];
  }
  const isTier = typeof value === 'number' && value >= 1 && value <= MOST_TIER;
  return isTier ? [] : [valueFault(loc, `${kind} is an integer from 1 to ${MOST_TIER}`)];
}
