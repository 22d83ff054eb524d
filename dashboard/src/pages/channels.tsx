import { Outlet, useRouterState } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { Page } from '../ui/page.tsx';
import { Tab, TabPanel, Tabs } from '../ui/tabs.tsx';
import { ForAdmins } from './failures.tsx';

const NAMES: Record<string, string> = {
  '/channels': 'Numbers',
  '/channels/messages': 'Messages of channels',
  '/connections': 'Connections',
};

/** Around what connects agents with the world: numbers, what came by them, and credentials. */
export const ChannelsFrame = () => (
  <ForAdmins title="Channels">
    <Frame />
  </ForAdmins>
);

function Frame() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data } = useRead('get_overview', {});
  return (
    <Page
      title="Channels"
      name={NAMES[path]}
      sub="Numbers that people write to, what became of their messages, and credentials of services"
    >
      <Tabs label="Of channels">
        <Tab to="/channels" activeOptions={{ exact: true, includeSearch: false }}>
          Numbers
        </Tab>
        <Tab to="/channels/messages" n={data?.dead_messages}>
          Messages
        </Tab>
        <Tab to="/connections" n={data?.expired_connections}>
          Connections
        </Tab>
      </Tabs>
      <TabPanel>
        <Outlet />
      </TabPanel>
    </Page>
  );
}
