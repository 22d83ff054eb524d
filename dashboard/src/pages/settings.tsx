import { Outlet, useRouterState } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { Page } from '../ui/page.tsx';
import { Tab, TabPanel, Tabs } from '../ui/tabs.tsx';

interface Entry {
  to: string;
  words: string;
  /** Not for members. */
  admin?: boolean;
}

const ENTRIES: readonly Entry[] = [
  { to: '/settings/me', words: 'Me' },
  { to: '/settings/users', words: 'Users', admin: true },
  { to: '/settings/keys', words: 'API keys', admin: true },
  { to: '/settings/events', words: 'Events', admin: true },
  { to: '/settings/models', words: 'Models' },
  { to: '/settings/primitives', words: 'Primitives' },
  { to: '/settings/rules-templates', words: 'Rules templates' },
  { to: '/settings/onboarding-flows', words: 'Onboarding flows' },
  { to: '/settings/limits', words: 'Limits' },
  { to: '/settings/audit', words: 'Audit', admin: true },
];

/** Around the tabs of the tenant's settings and one's own. */
export function SettingsFrame() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data: me } = useRead('get_me', {});
  const entries = ENTRIES.filter(({ admin }) => !admin || me?.role === 'admin');
  const words = ENTRIES.find(({ to }) => to === path)?.words;
  return (
    <Page title="Settings" name={words === undefined ? undefined : `${words} · Settings`}>
      <Tabs label="Settings">
        {entries.map(({ to, words: name }) => (
          <Tab key={to} to={to}>
            {name}
          </Tab>
        ))}
      </Tabs>
      <TabPanel>
        <Outlet />
      </TabPanel>
    </Page>
  );
}
