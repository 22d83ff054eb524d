import { customerExists } from '../customers/customers.db.ts';
import { customerIsServed } from '../customers/served-customers.db.ts';
import { ok, route } from '../platform/http/handler.ts';
import { getWorker } from '../workforce/workers.ts';
import * as contract from './eligibility.contract.ts';
import { explainEligibility } from './eligibility.ts';
import type { PeopleJudge } from './people-judge.port.ts';

interface Judging {
  peopleJudge: PeopleJudge;
}

export const eligibilityRoutes = [
  route(
    contract.explainEligibility,
    async ({ q, params: { customer_id }, body }, { peopleJudge }: Judging) => {
      const customer = customerExists(customer_id);
      const asking = { customer_id, customer, isRuntime: false, part: 'body' } as const;
      return ok(await explainEligibility(q, peopleJudge, asking, body));
    },
  ),

  route(contract.askEligibility, async ({ q, params, query, body }, { peopleJudge }: Judging) => {
    const { customer_id } = query;
    const customer = customerIsServed(params.instance_id, customer_id);
    const asking = { customer_id, customer, isRuntime: true, part: 'body' } as const;
    return ok(await explainEligibility(q, peopleJudge, asking, body));
  }),

  route(contract.getMyEligibility, async ({ q, params, query }, { peopleJudge }: Judging) => {
    const { person_id, customer_id } = await getWorker(q, { ...params, ...query });
    const customer = customerExists(customer_id);
    const asking = { customer_id, customer, isRuntime: true, part: 'query' } as const;
    const one = { ...query, person_ids: [person_id], show: 'all', page: 1, per_page: 1 } as const;
    return ok(await explainEligibility(q, peopleJudge, asking, one));
  }),
];
