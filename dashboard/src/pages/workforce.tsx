import { Outlet, useRouterState } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { Page } from '../ui/page.tsx';
import { Tab, TabPanel, Tabs } from '../ui/tabs.tsx';
import { ForAdmins } from './failures.tsx';

/** Around what concerns the staff of all customers. */
export const WorkforceFrame = () => (
  <ForAdmins title="Workforce">
    <Frame />
  </ForAdmins>
);

function Frame() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data } = useRead('get_overview', {});
  return (
    <Page
      title="Workforce"
      name={path.endsWith('/certificates') ? 'Certificates' : 'Timesheets'}
      sub="Hours and certificates of all customers’ staff"
    >
      <Tabs label="Of the workforce">
        <Tab to="/workforce/timesheets" n={data?.submitted_timesheets}>
          Timesheets
        </Tab>
        <Tab to="/workforce/certificates" n={data?.expiring_certs}>
          Certificates
        </Tab>
      </Tabs>
      <TabPanel>
        <Outlet />
      </TabPanel>
    </Page>
  );
}
