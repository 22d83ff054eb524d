import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { texts } from './search.ts';

/** The list stays while the conversation beside it changes. */
const inbox = createRoute({
  getParentRoute: () => inside,
  path: '/conversations',
  validateSearch: texts('view', 'search'),
  component: lazyRouteComponent(() => import('../pages/conversations.tsx'), 'Inbox'),
});

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '/$conversation_id',
  component: lazyRouteComponent(() => import('../pages/conversation.tsx'), 'ConversationPane'),
});

export const conversationRoutes = [inbox.addChildren([conversation])] as const;
