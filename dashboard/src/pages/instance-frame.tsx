import type { InstanceDetail } from '@agent-control-plane/sdk';
import { getRouteApi, Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Name } from '../ui/name.tsx';
import { Failed, Notice, Skeleton } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Tab, TabPanel, Tabs } from '../ui/tabs.tsx';
import { InstanceActions } from './instance-actions.tsx';
import { behindOf, InstanceState, Revision, reasonOf } from './instance-cells.tsx';
import style from './instance-frame.module.css';
import { useInstance, useIsAdmin } from './use-instance.ts';

const TABS = {
  timeline: 'Timeline',
  talk: 'Talk',
  configuration: 'Configuration',
  upgrade: 'Upgrade',
  tools: 'Tools',
  triggers: 'Triggers',
  logs: 'Logs',
  access: 'Access',
  customers: 'Customers',
} as const;

const entries = Object.entries(TABS);
const ADMIN_TABS = ['logs', 'customers'];

const route = getRouteApi('/inside/instances/$instance_id');

/** Around the tabs of one agent. */
export function InstanceFrame() {
  const { instance_id } = route.useParams();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data, error, refetch } = useInstance();
  const isAdmin = useIsAdmin() ?? false;
  const triggers = useRead('list_instance_triggers', { path: { instance_id }, query: { per_page: 1 } });
  const name = data ? visible(data.hostname) : 'Agent';
  const [, words] = entries.find(([segment]) => path.endsWith(`/${segment}`)) ?? [];
  const counts: Record<string, number | undefined> = {
    upgrade: data && behindOf(data),
    tools: data?.mcp_servers.length,
    triggers: triggers.data?.total,
    customers: data?.deployment_count,
  };
  const isShown = (segment: string) =>
    (isAdmin || !ADMIN_TABS.includes(segment)) &&
    (segment !== 'customers' || data?.hosting_mode === 'shared' || path.endsWith('/customers'));
  return (
    <Page
      title={name}
      name={words === undefined ? name : `${words} of ${name}`}
      crumb={
        <>
          <Link to="/instances">Agents</Link> /
        </>
      }
      sub={data && <Head of={data} isAdmin={isAdmin} />}
      actions={data && <InstanceActions of={data} />}
    >
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {(data || !error) && (
        // Its reads begin at once, but what they bring would move when the head above gets its lines.
        <div hidden={!data}>
          {data && <Trouble of={data} />}
          <Tabs label="About the agent">
            {entries.map(
              ([segment, each]) =>
                isShown(segment) && (
                  <Tab key={segment} to={pathOf(instance_id, segment)} n={counts[segment]}>
                    {each}
                  </Tab>
                ),
            )}
          </Tabs>
          <TabPanel>
            <Outlet />
          </TabPanel>
        </div>
      )}
    </Page>
  );
}

const pathOf = (instance_id: string, segment: string): string => `/instances/${instance_id}/${segment}`;

function Head({ of, isAdmin }: { of: InstanceDetail; isAdmin: boolean }) {
  const { data: tiers } = useRead('list_tiers', { query: { per_page: 100 } });
  const { data: regions } = useRead('list_regions', { query: { per_page: 100 } });
  const tier = tiers?.items.find(({ id }) => id === of.tier_id)?.name;
  const region = regions?.items.find(({ id }) => id === of.region_id)?.name;
  const where = [tier, region].filter((each) => each !== undefined).map(visible);
  return (
    <>
      <span className={style.state}>
        <InstanceState of={{ ...of, last_error: null, runtime: { ...of.runtime, state: 'up' } }} />
      </span>
      <span className={style.about}>
        <Link to="/recipes/$recipe_id/edit" params={{ recipe_id: of.recipe_id }} className="link">
          <Name of={of.recipe_name ?? of.template_name} />
        </Link>
        <Revision of={of} />
        <span>
          for <Served of={of} isAdmin={isAdmin} />
        </span>
        {where.length > 0 && <span className={style.where}>{where.join(', ')}</span>}
      </span>
    </>
  );
}

function Served({ of, isAdmin }: { of: InstanceDetail; isAdmin: boolean }) {
  if (of.hosting_mode === 'shared') return plural(of.deployment_count, 'customer');
  if (of.customer_id === null) return 'a customer that was erased';
  const name = of.customer_name === null ? 'a customer' : <Name of={of.customer_name} />;
  if (!isAdmin) return name;
  return (
    <Link to="/customers/$customer_id/overview" params={{ customer_id: of.customer_id }} className="link">
      {name}
    </Link>
  );
}

/** Why it does not do its work, with what helps on the timeline below. */
function Trouble({ of }: { of: InstanceDetail }) {
  const reason = reasonOf(of);
  if (reason === undefined) return null;
  return (
    <div className={style.trouble}>
      <Notice tone={of.status === 'failed' ? 'bad' : 'wait'} lasting>
        {reason.replace(/\.$/, '')}.
      </Notice>
    </div>
  );
}
