import type { IconName } from './ui/icon.tsx';

export interface MenuEntry {
  to: string;
  name: string;
  /** On a phone. */
  short?: string;
  icon: IconName;
  /** Letter behind `g`. */
  key: string;
  admin?: boolean;
  /** Begins the addresses of the entry's pages, where they are not below its own. */
  section?: string;
  /** Begins a group. */
  apart?: boolean;
}

export const MENU: readonly MenuEntry[] = [
  { to: '/', name: 'Overview', icon: 'overview', key: 'o' },
  { to: '/conversations', name: 'Inbox', icon: 'inbox', key: 'i' },
  { to: '/approvals', name: 'Approvals', short: 'Approve', icon: 'approvals', key: 'p' },
  { to: '/instances', name: 'Agents', icon: 'agents', key: 'a', apart: true },
  { to: '/recipes', name: 'Recipes', icon: 'recipes', key: 'r' },
  { to: '/customers', name: 'Customers', icon: 'customers', key: 'c', admin: true },
  {
    to: '/workforce/timesheets',
    section: '/workforce/',
    name: 'Workforce',
    icon: 'workforce',
    key: 'w',
    admin: true,
  },
  { to: '/channels', name: 'Channels', icon: 'channels', key: 'h', admin: true },
  { to: '/usage', name: 'Usage', icon: 'usage', key: 'u' },
  {
    to: '/settings/me',
    section: '/settings/',
    name: 'Settings',
    icon: 'settings',
    key: 's',
    apart: true,
  },
];

const PHONE = ['/', '/conversations', '/approvals', '/instances'];

export const PHONE_MENU = MENU.filter(({ to }) => PHONE.includes(to));
