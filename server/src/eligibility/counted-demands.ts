import { conflict } from '../platform/errors.ts';
import type { Demand } from './demands.contract.ts';
import type { CountingRequirements } from './eligibility.db.ts';
import type { CountedDemand } from './people-judge.port.ts';

/** Those of any_of one by one. */
const MOST_COUNTED = 1000;
const OF_REQUEST = 'request';

/** All that count: the requirements' in the order of their keys, then the request's. 409 beyond a thousand. */
export function countDemands(
  requirements: CountingRequirements['requirements'],
  requested: readonly Demand[],
): CountedDemand[] {
  const demands = [...requirements, { key: OF_REQUEST, demands: requested }].flatMap(
    ({ key, demands: own }) => own.map((demand, index) => countedOf(demand, key, index)),
  );
  const count = demands.reduce((sum, { any_of }) => sum + (any_of?.length ?? 1), 0);
  if (count > MOST_COUNTED) throw conflict(`More than ${MOST_COUNTED} demands count there`);
  return demands;
}

function countedOf(demand: Demand, source: string, index: number): CountedDemand {
  const id = `${source}/${index + 1}`;
  return 'any_of' in demand
    ? { id, kind: 'any_of', value: null, source, any_of: demand.any_of }
    : { id, kind: demand.kind, value: demand.value, source };
}
