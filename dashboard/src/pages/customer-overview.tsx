import type { CustomerDetail, CustomerInstance } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { CustomerCloneForm } from '../forms/customer-clone.tsx';
import { CustomerUpdateForm } from '../forms/customer-update.tsx';
import { useRead, useWrite } from '../queries.ts';
import { money } from '../rules/money.ts';
import { agentPath, customerName } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Empty } from '../ui/notice.tsx';
import { Facts, Panel, Rows } from '../ui/panel.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { CustomerNeeds } from './customer-needs.tsx';
import style from './customer-overview.module.css';

const route = getRouteApi('/inside/customers/$customer_id/overview');

export function CustomerOverview() {
  const { customer_id } = route.useParams();
  const customer = useRead('get_customer', { path: { customer_id } });
  return <Answered of={customer}>{(data) => <Overview of={data} />}</Answered>;
}

function Overview({ of }: { of: CustomerDetail }) {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const openAs = (what: string | undefined) => void navigate({ search: { ...(what && { open: what }) } });
  const close = () => openAs(undefined);
  const toMade = ({ id }: { id: string }) =>
    void navigate({ to: '/customers/$customer_id/overview', params: { customer_id: id }, search: {} });
  return (
    <div className={style.halves}>
      <div className={style.stack}>
        <CustomerNeeds customer_id={of.id} />
        <Agents of={of} />
      </div>
      <Panel
        title="About"
        aside={
          <Button small onClick={() => openAs('change')}>
            Change
          </Button>
        }
      >
        <About of={of} />
        <div className={style.ends}>
          <Button small onClick={() => openAs('copy')}>
            Add one like it
          </Button>
          <Button small look="bad" disabled={of.instance_count > 0} onClick={() => openAs('delete')}>
            Delete
          </Button>
          {of.instance_count > 0 && (
            <p className="hint">
              {plural(of.instance_count, 'agent works', 'agents work')} for it. Without one it can be deleted.
            </p>
          )}
        </div>
      </Panel>
      {open === 'change' && <CustomerUpdateForm of={of} onClose={close} />}
      {open === 'copy' && <CustomerCloneForm of={of} onClose={close} onMade={toMade} />}
      {open === 'delete' && of.instance_count === 0 && <Deletion of={of} onClose={close} />}
    </div>
  );
}

const About = ({ of }: { of: CustomerDetail }) => (
  <Facts
    of={[
      ['E-mail', of.email && visible(of.email)],
      ['Time zone', of.timezone.replaceAll('_', ' ')],
      ['Country', of.country_code],
      ['Currency', of.currency],
      ['Language', of.locale],
      ['This month', <Spent key="month" customer_id={of.id} />],
      ['Subscription', of.latest_subscription_status?.replaceAll('_', ' ')],
      [
        'Payments',
        of.payments_customer_id && <code className="mono">{visible(of.payments_customer_id)}</code>,
      ],
      ['Since', <Time key="since" at={of.created_at} as="when" />],
      ['Changed', <Time key="changed" at={of.updated_at} as="when" />],
      [
        'Id',
        <code key="id" className="mono">
          {of.id}
        </code>,
      ],
    ]}
  />
);

function Spent({ customer_id }: { customer_id: string }) {
  const { data } = useRead('get_customer_budget', { path: { customer_id } });
  if (!data) return null;
  const { spent_cost, monthly_cost } = data;
  return (
    <Link to="/customers/$customer_id/budget" params={{ customer_id }} className="link">
      {money(spent_cost)}
      {monthly_cost !== null && ` of ${money(monthly_cost)}`}
    </Link>
  );
}

const Agents = ({ of: { id, instances } }: { of: CustomerDetail }) => {
  const live = instances.filter(({ status }) => status !== 'terminated');
  return (
    <Panel
      title="Agents"
      bare
      aside={
        <ButtonLink small={live.length > 0} look="primary" to="/deploy" search={{ customer: id }}>
          Deploy an agent
        </ButtonLink>
      }
    >
      {live.length === 0 ? (
        <Empty command="agentctl deploy">No agent works for this customer yet.</Empty>
      ) : (
        <Rows>
          {live.map((each) => (
            <Agent key={each.id} of={each} />
          ))}
        </Rows>
      )}
    </Panel>
  );
};

const Agent = ({ of }: { of: CustomerInstance }) => (
  <li className={style.agent} data-row>
    <Link to={agentPath(of.id)} className={style.whole}>
      <span className="mono">{visible(of.hostname)}</span>
      <span className="hint">
        {visible(of.template_name)}
        {of.hosting_mode === 'shared' && ', shared with other customers'}
      </span>
    </Link>
    <Status of="instance" is={of.status} />
  </li>
);

function Deletion({ of, onClose }: { of: CustomerDetail; onClose: () => void }) {
  const erase = useWrite('delete_customer');
  const navigate = route.useNavigate();
  const isGone = useRef(false);
  const name = customerName(of);
  return (
    <Confirm
      title={`Delete ${visible(name)}?`}
      action="Delete for good"
      phrase={name}
      run={async () => {
        await erase.run({ path: { customer_id: of.id } });
        isGone.current = true;
      }}
      onClose={() => (isGone.current ? void navigate({ to: '/customers' }) : onClose())}
    >
      Its people, shifts and timesheets, its conversations, connections, rules and subscriptions are erased at
      once. Nobody can bring them back. Agents that have ended stay listed, without its name.
    </Confirm>
  );
}
