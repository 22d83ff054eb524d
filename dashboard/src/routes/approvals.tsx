import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list } from './search.ts';

const approvals = createRoute({
  getParentRoute: () => inside,
  path: '/approvals',
  validateSearch: list('status'),
  component: lazyRouteComponent(() => import('../pages/approvals.tsx'), 'Approvals'),
});

const approval = createRoute({
  getParentRoute: () => approvals,
  path: '/$approval_id',
  component: lazyRouteComponent(() => import('../pages/approval.tsx'), 'ApprovalPane'),
});

export const approvalRoutes = [approvals.addChildren([approval])] as const;
