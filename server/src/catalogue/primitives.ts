import type { Queryable } from '../platform/db/queryable.ts';
import type { PrimitiveKind } from './primitives.contract.ts';
import { listApprovedSlugs } from './primitives.db.ts';

export { deletePrimitive, insertPrimitive, listPrimitives } from './primitives.db.ts';

/** The slugs that a tenant approved, by kind. */
export type ApprovedPrimitives = ReadonlyMap<PrimitiveKind, ReadonlySet<string>>;

/** One round trip. */
export const approvedPrimitives = async (q: Queryable): Promise<ApprovedPrimitives> =>
  new Map((await listApprovedSlugs(q)).map(({ kind, slugs }) => [kind, new Set(slugs)]));
