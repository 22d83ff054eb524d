import type { InstanceDetail } from '@agent-control-plane/sdk';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useId } from 'react';
import { operation, useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import field from '../ui/field.module.css';
import style from './instance-talk.module.css';

const route = getRouteApi('/inside/instances/$instance_id/talk');

/** Customers of a shared agent whose people are offered, and people of each. */
const MOST = { customers: 10, people: 100 };
const STRANGER = '';

/** An agent answers those whom it knows otherwise than strangers. Another one begins another conversation. */
export function WriteAs({ of, chosen }: { of: InstanceDetail; chosen: string | undefined }) {
  const id = useId();
  const navigate = route.useNavigate();
  const people = usePeople(of);
  const isShared = of.hosting_mode === 'shared';
  return (
    <div className={style.choose}>
      <label htmlFor={id} className="hint">
        You write as
      </label>
      <select
        id={id}
        className={field.input}
        value={chosen ?? STRANGER}
        onChange={({ target: { value } }) =>
          void navigate({ search: value === STRANGER ? {} : { as: value }, replace: true })
        }
      >
        <option value={STRANGER}>{isShared ? 'choose somebody' : 'a stranger'}</option>
        {people.map(({ id: each, display_name, external_id, channel, verified, customer_name }) => (
          <option key={each} value={each}>
            {visible(display_name ?? external_id)}, {visible(channel)}
            {isShared && customer_name !== null && `, of ${visible(customer_name)}`}
            {!verified && ', not proven'}
          </option>
        ))}
      </select>
    </div>
  );
}

/** On a shared agent, who writes tells the customer. */
function usePeople({ id, customer_id, hosting_mode }: InstanceDetail) {
  const isShared = hosting_mode === 'shared';
  const served = useRead(
    'list_instance_deployments',
    { path: { instance_id: id }, query: { per_page: MOST.customers } },
    { enabled: isShared },
  );
  const customers = isShared ? (served.data?.items ?? []).map((each) => each.customer_id) : [customer_id];
  const lists = useQueries({
    queries: [...new Set(customers)]
      .filter((each) => each !== null)
      .map((each) =>
        operation('list_identities', { path: { customer_id: each }, query: { per_page: MOST.people } }),
      ),
  });
  return lists.flatMap(({ data }) => data?.items ?? []);
}
