import { conflict, notFound } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import * as contract from './primitives.contract.ts';
import { deletePrimitive, insertPrimitive, listPrimitives } from './primitives.ts';

export const primitiveRoutes = [
  route(contract.listPrimitives, async ({ q, query }) =>
    ok(await pageOf(query, (...window) => listPrimitives(q, query.kind ?? null, ...window))),
  ),

  route(contract.createPrimitive, async ({ q, body }) => {
    const { kind, slug, display_name = null } = body;
    const primitive = await insertPrimitive(q, { kind, slug, display_name });
    if (!primitive) throw conflict(`The ${kind} ${slug} is approved already`);
    return created(primitive);
  }),

  route(contract.deletePrimitive, async ({ q, params }) => {
    if (!(await deletePrimitive(q, params.primitive_id))) throw notFound('Primitive');
    return noContent();
  }),
];
