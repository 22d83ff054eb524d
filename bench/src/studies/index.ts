import { bulkheads } from './bulkheads.ts';
import { conversations } from './conversations.ts';
import { deploys } from './deploys.ts';
import { events } from './events.ts';
import { gateway } from './gateway.ts';
import { growth } from './growth.ts';
import { mcp } from './mcp.ts';
import { neighbours } from './neighbours.ts';
import { pages } from './pages.ts';
import { pins } from './pins.ts';
import { processes } from './processes.ts';
import { renewals } from './renewals.ts';
import { scale } from './scale.ts';
import { staff } from './staff.ts';
import type { Study } from './study.ts';
import { takeovers } from './takeovers.ts';

export const studies: readonly Study[] = [
  pins,
  processes,
  mcp,
  renewals,
  growth,
  deploys,
  staff,
  conversations,
  neighbours,
  bulkheads,
  gateway,
  takeovers,
  pages,
  scale,
  events,
];
