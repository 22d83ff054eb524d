import { listApprovedSlugs } from '../db/primitives.ts';
import type { Queryable } from '../db/queryable.ts';
import type { ApprovedPrimitives } from './composition/primitive-check.ts';

export { deletePrimitive, insertPrimitive, listPrimitives } from '../db/primitives.ts';

/** What the tenant approved: the slugs of each kind. One round trip. */
export const approvedPrimitives = async (q: Queryable): Promise<ApprovedPrimitives> =>
  new Map((await listApprovedSlugs(q)).map(({ kind, slugs }) => [kind, new Set(slugs)]));
