import type { Database } from '../platform/db/database.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import type { Hasher } from './hasher.port.ts';
import * as contract from './password-resets.contract.ts';
import { offerReset, offerResetAsOperator, resetPassword } from './password-resets.ts';

export const passwordResetRoutes = [
  route(contract.createPasswordReset, async ({ q, params }) => created(await offerReset(q, params.user_id))),

  route(contract.resetPassword, async ({ body, request }, services: { db: Database; hasher: Hasher }) =>
    ok(await resetPassword(services, body, request.clientAddress)),
  ),

  route(contract.createOperatorPasswordReset, async ({ params }, services: { db: Database }) =>
    created(await offerResetAsOperator(services, params)),
  ),
];
