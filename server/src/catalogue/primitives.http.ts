import { conflict, found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './primitives.contract.ts';
import { deletePrimitive, insertPrimitive, listPrimitives } from './primitives.db.ts';

export const primitiveRoutes = [
  route(contract.listPrimitives, async ({ q, query }) =>
    ok(await page(q, query, (...window) => listPrimitives(query, ...window))),
  ),

  route(contract.createPrimitive, async ({ q, body }) => {
    const primitive = await q.run(insertPrimitive(body));
    if (!primitive) throw conflict(`The ${body.kind} ${body.slug} is approved already`);
    return created(primitive);
  }),

  route(contract.deletePrimitive, async ({ q, params }) => {
    found('Primitive', await q.run(deletePrimitive(params.primitive_id)));
    return noContent();
  }),
];
