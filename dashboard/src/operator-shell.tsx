import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { closeOperator, openOperator, operatorSession, useOperatorRead } from './operator.ts';
import own from './operator-shell.module.css';
import { Door } from './pages/sign-in.tsx';
import style from './shell.module.css';
import { Button } from './ui/button.tsx';
import { TextField } from './ui/field.tsx';
import { Form, textOf } from './ui/form.tsx';
import { Icon, type IconName, Mark } from './ui/icon.tsx';
import { Tab, Tabs } from './ui/tabs.tsx';

interface Entry {
  to: string;
  name: string;
  icon: IconName;
  apart?: boolean;
}

const MENU: readonly Entry[] = [
  { to: '/operator/overview', name: 'Overview', icon: 'overview' },
  { to: '/operator/tenants', name: 'Tenants', icon: 'customers' },
  { to: '/operator/instances', name: 'Agents', icon: 'agents', apart: true },
  { to: '/operator/tasks', name: 'Tasks', icon: 'workforce' },
  { to: '/operator/messages', name: 'Messages', icon: 'inbox' },
  { to: '/operator/hosts', name: 'Hosts', icon: 'operator' },
  { to: '/operator/tiers', name: 'Tiers', icon: 'usage', apart: true },
  { to: '/operator/regions', name: 'Regions', icon: 'find' },
  { to: '/operator/manifests', name: 'Manifests', icon: 'recipes' },
  { to: '/operator/models', name: 'Models', icon: 'tool' },
  { to: '/operator/llm-providers', name: 'Model providers', icon: 'outside' },
  { to: '/operator/authority', name: 'Authority', icon: 'key' },
];

/** Around the pages of who runs the service. They need no session of a tenant. */
export function OperatorShell() {
  const isOpen = useSyncExternalStore(operatorSession.subscribe, operatorSession.isOpen);
  return isOpen ? <Opened /> : <TokenDoor />;
}

function Opened() {
  return (
    <div className={style.shell}>
      <a href="#main" className={style.skip}>
        Skip to the page
      </a>
      <SideMenu />
      <main id="main" tabIndex={-1}>
        <PhoneMenu />
        <Outlet />
      </main>
    </div>
  );
}

function SideMenu() {
  const { data } = useOperatorRead('get_operator_overview', {}, { isLive: true });
  return (
    <nav className={style.nav} aria-label="Main">
      <Link to="/operator/overview" className={style.tenant}>
        <Mark />
        <span className="one">Operator</span>
      </Link>
      {MENU.map(({ to, name, icon, apart }) => (
        <Link key={to} to={to} className={`${style.item} ${apart ? style.apart : ''}`}>
          <Icon name={icon} />
          <span>{name}</span>
        </Link>
      ))}
      <div className={style.foot}>
        <Link to="/" className={style.item}>
          <Icon name="back" />
          <span>A tenant’s pages</span>
        </Link>
        <button type="button" className={style.item} onClick={closeOperator}>
          <Icon name="close" />
          <span>Forget the token</span>
        </button>
        <div className={style.live}>
          <span>Every 10 s</span>
          <span className={`mono ${style.version}`}>{data?.version}</span>
        </div>
      </div>
    </nav>
  );
}

/** The side menu's place on a narrow screen. */
function PhoneMenu() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <header className={own.top}>
      <div className={own.bar}>
        <Mark />
        <span className="strong">Operator</span>
        <Button small look="plain" onClick={closeOperator}>
          Forget the token
        </Button>
      </div>
      <Tabs key={path} label="Main, above">
        {MENU.map(({ to, name }) => (
          <Tab key={to} to={to}>
            {name}
          </Tab>
        ))}
      </Tabs>
    </header>
  );
}

function TokenDoor() {
  return (
    <Door title="Operations token">
      <p className="muted">
        These pages are of who runs the service, and see all tenants. The token stands in its setting
        OPERATIONS_TOKEN.
      </p>
      <Form onSave={(values) => openOperator(textOf(values, 'token').trim())} label="Operations token">
        {(pending) => (
          <>
            <TextField
              name="token"
              label="Token"
              type="password"
              autoComplete="off"
              hint="Kept in this tab’s memory alone: a reload asks again"
              required
              autoFocus
            />
            <Button type="submit" look="primary" pending={pending}>
              Open
            </Button>
          </>
        )}
      </Form>
    </Door>
  );
}
