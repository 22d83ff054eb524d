import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list } from './search.ts';

/** `/connections` is a tab of the same page. */
const channels = createRoute({
  getParentRoute: () => inside,
  id: 'channels-frame',
  component: lazyRouteComponent(() => import('../pages/channels.tsx'), 'ChannelsFrame'),
});

const tabs = [
  createRoute({
    getParentRoute: () => channels,
    path: '/channels',
    validateSearch: list('q', 'open', 'edit'),
    component: lazyRouteComponent(() => import('../pages/channel-numbers.tsx'), 'ChannelNumbers'),
  }),
  createRoute({
    getParentRoute: () => channels,
    path: '/channels/messages',
    validateSearch: list('status', 'instance_id'),
    component: lazyRouteComponent(() => import('../pages/channel-messages.tsx'), 'ChannelMessages'),
  }),
  createRoute({
    getParentRoute: () => channels,
    path: '/connections',
    validateSearch: list('status', 'provider', 'customer_id', 'expiring'),
    component: lazyRouteComponent(() => import('../pages/connections.tsx'), 'Connections'),
  }),
] as const;

export const channelRoutes = [channels.addChildren([...tabs])] as const;
