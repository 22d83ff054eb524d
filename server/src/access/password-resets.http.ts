import { created, ok, route } from '../platform/http/handler.ts';
import type { Hasher } from './hasher.port.ts';
import * as contract from './password-resets.contract.ts';
import { createReset, createResetAsOperator, resetPassword } from './password-resets.ts';

export const passwordResetRoutes = [
  route(contract.createPasswordReset, async ({ q, params }) => created(await createReset(q, params.user_id))),

  route(contract.resetPassword, async ({ system, body, request }, { hasher }: { hasher: Hasher }) =>
    ok(await resetPassword({ db: { system }, hasher }, body, request.clientAddress)),
  ),

  route(contract.createOperatorPasswordReset, async ({ system, params }) =>
    created(await createResetAsOperator({ db: { system } }, params)),
  ),
];
