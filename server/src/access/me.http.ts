import { found, unauthenticated } from '../platform/errors.ts';
import { noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './me.contract.ts';
import { changeMyPassword } from './me.ts';
import { listSessions, revokeOwnSession } from './sessions.db.ts';
import type { SessionServices } from './sessions.ts';

export const meRoutes = [
  route(contract.changeMyPassword, async ({ q, system, actor, body, request }, services: SessionServices) => {
    if (actor.kind !== 'user') throw unauthenticated();
    await changeMyPassword({ ...services, db: { system } }, q, actor, body, request.clientAddress);
    return noContent();
  }),

  route(contract.listMySessions, async ({ actor, query }, { db }: SessionServices) => {
    if (actor.kind !== 'user') throw unauthenticated();
    const { user_id, session_id } = actor;
    return ok(
      await page(db.system, query, (limit, offset) => listSessions(user_id, session_id, limit, offset)),
    );
  }),

  route(contract.endMySession, async ({ actor, params }, { db }: SessionServices) => {
    if (actor.kind !== 'user') throw unauthenticated();
    found('Session', await db.system.run(revokeOwnSession(actor.user_id, params.session_id)));
    return noContent();
  }),
];
