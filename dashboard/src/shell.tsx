import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useKeys } from './keys.ts';
import { startLive, useLive } from './live.ts';
import { MENU, type MenuEntry, PHONE_MENU } from './menu.ts';
import { operationsUsed, useRead } from './queries.ts';
import { clock } from './rules/time.ts';
import style from './shell.module.css';
import { Icon, Mark } from './ui/icon.tsx';
import { ShapeMark } from './ui/status.tsx';

/** Loads while nothing else does, so that no letter typed into it is lost. */
const loadPalette = () => import('./palette.tsx').then(({ Palette: component }) => ({ default: component }));
const Palette = lazy(loadPalette);
const IDLE_MS = 2000;

/** Pages with panes of their own: beside them the menu is a rail. */
const PANES = ['/conversations'];

export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [finds, setFinds] = useState(false);
  useEffect(startLive, []);
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  useKeys(() => setFinds(true));
  const isRail = PANES.some((start) => path.startsWith(start));
  return (
    <div className={`${style.shell} ${isRail ? style.rail : ''}`}>
      <a href="#main" className={style.skip}>
        Skip to the page
      </a>
      <SideMenu onFind={() => setFinds(true)} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <PhoneMenu />
      {finds && (
        <Suspense>
          <Palette onClose={() => setFinds(false)} />
        </Suspense>
      )}
    </div>
  );
}

const ME: string = '/settings/me';

/** Without what a member is refused. */
function useEntries(): readonly MenuEntry[] {
  const { data: me } = useRead('get_me', {});
  return MENU.filter(({ admin }) => !admin || me?.role === 'admin');
}

/** How many cases wait behind an entry of the menu. */
function useWaiting(to: string): { n: number; hot: boolean } {
  const { data } = useRead('get_overview', {});
  const counts: Record<string, number | undefined> = {
    '/conversations': data?.waiting_conversations,
    '/approvals': data?.waiting_approvals,
    '/workforce/timesheets': data?.submitted_timesheets,
  };
  return { n: counts[to] ?? 0, hot: to !== '/workforce/timesheets' };
}

function Waiting({ at, className }: { at: string; className?: string | undefined }) {
  const { n, hot } = useWaiting(at);
  if (n === 0) return null;
  return (
    <span className={[style.count, hot && style.hot, className].filter(Boolean).join(' ')}>
      {n > 99 ? '99+' : n}
      <span className="vh"> waiting</span>
    </span>
  );
}

function SideMenu({ onFind }: { onFind: () => void }) {
  const { data: me } = useRead('get_me', {});
  const entries = useEntries();
  return (
    <nav className={style.nav} aria-label="Main">
      <Link to="/" className={style.tenant}>
        <Mark />
        <span className="one">{me?.tenant.name ?? 'Agent control plane'}</span>
      </Link>
      {entries.map((entry) => (
        <MenuLink key={entry.to} entry={entry} />
      ))}
      <div className={style.foot}>
        <OperationsUsed />
        <button type="button" className={style.item} onClick={onFind}>
          <Icon name="find" />
          <span>Find</span>
          <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <Link to={ME} className={style.item}>
          <Icon name="person" />
          <span className="one">{me?.user.email ?? 'Me'}</span>
        </Link>
        <LiveState />
      </div>
    </nav>
  );
}

/** The operations behind what is on screen, each with its place in the documentation. */
function OperationsUsed() {
  const ids = useSyncExternalStore(operationsUsed.subscribe, operationsUsed.list);
  return (
    <>
      <button type="button" className={style.item} popoverTarget="operations">
        <Icon name="code" />
        <span>API of this page</span>
      </button>
      <div id="operations" popover="auto" className={style.operations}>
        {ids.length === 0 && <p className="hint">This page has asked for nothing yet.</p>}
        {ids.map((id) => (
          <a key={id} href={`/docs/operations/${id}`} target="_blank" rel="noopener" className="mono">
            {id}
          </a>
        ))}
      </div>
    </>
  );
}

function MenuLink({ entry: { to, section, name, icon, apart } }: { entry: MenuEntry }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isSection = section !== undefined && path.startsWith(section);
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/' }}
      aria-current={isSection || undefined}
      className={`${style.item} ${apart ? style.apart : ''}`}
    >
      <Icon name={icon} />
      <span>{name}</span>
      <Waiting at={to} />
    </Link>
  );
}

function LiveState() {
  const { data: me } = useRead('get_me', {});
  const live = useLive();
  const words = {
    live: 'Live',
    polling: 'Every 10 s',
    away: live.is === 'away' ? `Away since ${clock(live.since)}` : '',
  };
  return (
    <div className={style.live} role="status">
      <ShapeMark shape={live.is === 'live' ? 'disc' : 'ring'} tone={live.is === 'live' ? 'good' : 'wait'} />
      <span>{words[live.is]}</span>
      <span className={`mono ${style.version}`}>{me?.capabilities.version}</span>
    </div>
  );
}

function PhoneMenu() {
  return (
    <nav className={style.bar} aria-label="Main, below">
      {PHONE_MENU.map((entry) => (
        <Link key={entry.to} to={entry.to} activeOptions={{ exact: entry.to === '/' }}>
          <Icon name={entry.icon} size={20} />
          {entry.short ?? entry.name}
          <Waiting at={entry.to} className={style.dot} />
        </Link>
      ))}
      <More />
    </nav>
  );
}

/** The rest of the menu, which a phone has no room for. */
function More() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const rest = useRef<HTMLElement>(null);
  const entries = useEntries().filter(({ to }) => !PHONE_MENU.some((entry) => entry.to === to));
  useEffect(() => {
    if (path) rest.current?.hidePopover();
  }, [path]);
  return (
    <>
      <button type="button" popoverTarget="more">
        <Icon name="more" size={20} />
        More
      </button>
      <nav ref={rest} id="more" popover="auto" className={style.more} aria-label="More pages">
        {entries.map((entry) => (
          <MenuLink key={entry.to} entry={entry} />
        ))}
      </nav>
    </>
  );
}
