import { conflict, notFound, unauthenticated } from '../platform/errors.ts';
import { findSessionTenant } from './sessions.db.ts';
import { logout, refresh, type SessionServices, switchTenant, type TokenPair } from './sessions.ts';

/** 409 when another tab has gone to another tenant: then this token is left as it is. */
export async function renewInBrowser(
  services: SessionServices,
  token: string,
  tenant_id: string | undefined,
): Promise<TokenPair> {
  const { session_id } = readToken(services, token);
  const session = await services.db.system.run(findSessionTenant(session_id));
  if (tenant_id !== undefined && session && session.tenant_id !== tenant_id)
    throw conflict('The browser is signed in to another tenant by now');
  return refresh(services, token);
}

/** Begins a session in another tenant of the user, then ends the one that the browser had. */
export async function leaveFor(
  services: SessionServices,
  token: string,
  tenant_id: string,
): Promise<TokenPair> {
  const { session_id } = readToken(services, token);
  const renewed = await refresh(services, token);
  const session = await services.db.system.run(findSessionTenant(session_id));
  if (!session) throw notFound('Tenant');
  const next = await switchTenant(services, { user_id: session.user_id, session_id }, tenant_id);
  await logout(services, renewed.refresh_token);
  return next;
}

function readToken(services: SessionServices, token: string) {
  const read = services.tokens.verifyRefresh(token);
  if (!read) throw unauthenticated('The session has ended');
  return read;
}
