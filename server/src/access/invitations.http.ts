import type { TenantActor } from '../platform/actor.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './invitations.contract.ts';
import { deleteInvitation, listInvitations } from './invitations.db.ts';
import { acceptInvitation, invite } from './invitations.ts';
import type { SessionServices } from './sessions.ts';

export const invitationRoutes = [
  route(contract.createInvitation, async ({ q, actor, body }) =>
    created(await invite(q, actor as TenantActor, body)),
  ),

  route(contract.listInvitations, async ({ q, query }) => ok(await page(q, query, listInvitations))),

  route(contract.deleteInvitation, async ({ q, params }) => {
    found('Invitation', await q.run(deleteInvitation(params.invitation_id)));
    return noContent();
  }),

  route(contract.acceptInvitation, async ({ system, actor, body, request }, services: SessionServices) =>
    ok(await acceptInvitation({ ...services, db: { system } }, actor, body, request.clientAddress)),
  ),
];
