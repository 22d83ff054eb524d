import { getRouteApi, Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { customerName } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { clockIn, placeOf } from '../rules/zone.ts';
import { Name } from '../ui/name.tsx';
import { Failed } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Tab, TabPanel, Tabs } from '../ui/tabs.tsx';
import { useNow } from '../ui/time.tsx';
import { ForAdmins } from './failures.tsx';

const TABS = {
  overview: 'Overview',
  connections: 'Connections',
  identities: 'Identities',
  websites: 'Websites',
  rules: 'Rules',
  config: 'Configuration',
  pin: 'PIN',
  budget: 'Budget',
  subscriptions: 'Subscriptions',
  staff: 'Staff',
  shifts: 'Shifts',
  timesheets: 'Timesheets',
} as const;

const entries = Object.entries(TABS);

const route = getRouteApi('/inside/customers/$customer_id');

/** Around the tabs of one customer. */
export const CustomerFrame = () => (
  <ForAdmins title="Customer">
    <Frame />
  </ForAdmins>
);

function Frame() {
  const { customer_id } = route.useParams();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data, error, refetch } = useRead('get_customer', { path: { customer_id } });
  // Also what the overview reads.
  const hours = useRead('list_tenant_timesheets', {
    query: { customer_id, per_page: 1, status: 'submitted' },
  });
  const name = data ? customerName(data) : 'Customer';
  const [, words] = entries.find(([segment]) => path.endsWith(`/${segment}`)) ?? [];
  return (
    <Page
      title={<Name of={name} />}
      name={words === undefined ? visible(name) : `${words} of ${visible(name)}`}
      crumb={<Link to="/customers">Customers</Link>}
      sub={
        data && (
          <>
            {data.company_name && data.email && <span>{visible(data.email)}</span>}
            <There zone={data.timezone} />
          </>
        )
      }
    >
      {error && <Failed error={error} retry={() => void refetch()} />}
      {(data || !error) && (
        <>
          <Tabs label="About the customer">
            {entries.map(([segment, each]) => (
              <Tab
                key={segment}
                to={pathOf(customer_id, segment)}
                n={segment === 'timesheets' ? hours.data?.total : undefined}
              >
                {each}
              </Tab>
            ))}
          </Tabs>
          <TabPanel>
            <Outlet />
          </TabPanel>
        </>
      )}
    </Page>
  );
}

const pathOf = (customer_id: string, segment: string): string => `/customers/${customer_id}/${segment}`;

const There = ({ zone }: { zone: string }) => (
  <span>
    {clockIn(zone, useNow())} in {zone === 'UTC' ? 'UTC' : placeOf(zone)}
  </span>
);
