import type { Subscription, SubscriptionStatus } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SubscriptionForm } from '../forms/subscription.tsx';
import { useRead } from '../queries.ts';
import type { Sign } from '../rules/status.ts';
import { day } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';

const route = getRouteApi('/inside/customers/$customer_id/subscriptions');

const SIGNS: Record<SubscriptionStatus, Sign> = {
  trialing: { word: 'trial', shape: 'ring', tone: 'act' },
  active: { word: 'active', shape: 'disc', tone: 'good' },
  past_due: { word: 'past due', shape: 'triangle', tone: 'bad' },
  paused: { word: 'paused', shape: 'square', tone: 'off' },
  canceled: { word: 'canceled', shape: 'square', tone: 'off' },
};

const COLUMNS: readonly Column<Subscription>[] = [
  {
    name: 'Plan',
    cell: ({ id, plan }) => (
      <Link from="/customers/$customer_id/subscriptions" search={(old) => ({ ...old, open: id })}>
        {plan ? visible(plan) : 'Without a name'}
      </Link>
    ),
  },
  { name: 'State', cell: ({ status }) => <Signed sign={SIGNS[status]} /> },
  {
    name: 'Paid until',
    cell: ({ current_period_end }) =>
      current_period_end ? day(current_period_end) : <span className="muted">no end</span>,
  },
  { name: 'Since', priority: 2, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
  { name: 'Changed', priority: 3, cell: ({ updated_at }) => <Time at={updated_at} as="when" /> },
];

export function CustomerSubscriptions() {
  const { customer_id } = route.useParams();
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const customer = useRead('get_customer', { path: { customer_id } });
  const list = useRead('list_subscriptions', { path: { customer_id }, query: { page } });
  const zone = customer.data?.timezone;
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  const close = () => openAs(undefined);
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            Subscription
          </Button>
        }
      >
        <p className="muted">What the customer has booked with you. Agents run without one.</p>
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Subscriptions"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty action={<Button onClick={() => openAs('new')}>Add a subscription</Button>}>
            This customer has no subscription.
          </Empty>
        }
      />
      {zone && open === 'new' && <SubscriptionForm customer_id={customer_id} zone={zone} onClose={close} />}
      {zone && opened && (
        <SubscriptionForm customer_id={customer_id} zone={zone} of={opened} onClose={close} />
      )}
    </>
  );
}
