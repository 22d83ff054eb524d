import type { Queryable } from '../platform/db/queryable.ts';
import type { ApprovedPrimitives } from '../recipes/composition/primitive-check.ts';
import { listApprovedSlugs } from './primitives.db.ts';

export { deletePrimitive, insertPrimitive, listPrimitives } from './primitives.db.ts';

/** What the tenant approved: the slugs of each kind. One round trip. */
export const approvedPrimitives = async (q: Queryable): Promise<ApprovedPrimitives> =>
  new Map((await listApprovedSlugs(q)).map(({ kind, slugs }) => [kind, new Set(slugs)]));
