import { created, ok, route } from '../platform/http/handler.ts';
import * as contract from './invitations.contract.ts';
import { acceptInvitation, invite } from './invitations.ts';
import type { SessionServices } from './sessions.ts';

export const invitationRoutes = [
  route(contract.createInvitation, async ({ q, body }) => created(await invite(q, body))),

  route(contract.acceptInvitation, async ({ system, actor, body, request }, services: SessionServices) =>
    ok(await acceptInvitation({ ...services, db: { system } }, actor, body, request.clientAddress)),
  ),
];
