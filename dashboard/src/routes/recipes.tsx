import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from './roots.tsx';
import { list, numbers, texts } from './search.ts';

export const recipeRoutes = [
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes',
    validateSearch: texts('search', 'begin', 'from'),
    component: lazyRouteComponent(() => import('../pages/recipes.tsx'), 'Recipes'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/edit',
    validateSearch: texts('as'),
    component: lazyRouteComponent(() => import('../pages/recipe-edit.tsx'), 'RecipeEdit'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/revisions',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/recipe-revisions.tsx'), 'RecipeRevisions'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/revisions/$revision',
    validateSearch: numbers(1, 'against'),
    component: lazyRouteComponent(() => import('../pages/recipe-revision.tsx'), 'RecipeRevision'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/agents',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/recipe-agents.tsx'), 'RecipeAgents'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/rollouts',
    validateSearch: list('begin'),
    component: lazyRouteComponent(() => import('../pages/recipe-rollouts.tsx'), 'RecipeRollouts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/rollouts/$rollout_id',
    validateSearch: list<never>(),
    component: lazyRouteComponent(() => import('../pages/recipe-rollout.tsx'), 'RecipeRollout'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/recipes/$recipe_id/try',
    validateSearch: texts('agent', 'conversation'),
    component: lazyRouteComponent(() => import('../pages/recipe-try.tsx'), 'RecipeTry'),
  }),
] as const;
