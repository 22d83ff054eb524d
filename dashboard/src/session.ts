import { ApiError, ControlPlane, type Input, type Result, type Role } from '@agent-control-plane/sdk';

/** The session of this tab. Its token lives here and nowhere else. */
export interface Session {
  tenant_id: string;
  role: Role;
}

interface Signed extends Session {
  access_token: string;
  expires_in: number;
}

/** A token is renewed this long before it ends. */
const EARLY_MS = 30_000;

let session: (Session & { token: string; ends: number }) | undefined;
let renewal: Promise<boolean> | undefined;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('acp-session');

/** Nobody looks at a page that waits longer for its turn; it says why instead. */
export const PATIENCE_MS = 2000;

/** For the routes that need no token; the cookie of the browser goes along. */
const open = new ControlPlane({ baseUrl: location.origin, longestWaitMs: PATIENCE_MS });

function keep(signed: Signed | undefined): void {
  session = signed && {
    tenant_id: signed.tenant_id,
    role: signed.role,
    token: signed.access_token,
    ends: Date.now() + signed.expires_in * 1000,
  };
  for (const listener of listeners) listener();
}

export const currentSession = (): Session | undefined => session;

export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** False without a session: nobody is signed in. One renewal at a time. */
export const renew = (): Promise<boolean> => {
  renewal ??= askForRenewal().finally(() => {
    renewal = undefined;
  });
  return renewal;
};

async function askForRenewal(): Promise<boolean> {
  const tenant_id = session?.tenant_id;
  try {
    const signed = await open.call('refresh_browser_session', {
      body: tenant_id === undefined ? {} : { tenant_id },
    });
    keep(signed);
    return signed !== undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 409)) throw error;
    // Another tab has gone to another tenant: what this page shows is no longer of the cookie's tenant.
    if (error.status === 409) location.assign('/?notice=tenant');
    keep(undefined);
    return false;
  }
}

async function currentToken(): Promise<string> {
  if (!session || session.ends - Date.now() < EARLY_MS) await renew();
  return session?.token ?? 'none';
}

/** The client of all pages. */
export const acp = new ControlPlane({
  baseUrl: location.origin,
  accessToken: currentToken,
  longestWaitMs: PATIENCE_MS,
});

export async function signIn(credentials: {
  email: string;
  password: string;
  tenant_id?: string;
}): Promise<void> {
  keep(await open.call('create_browser_session', { body: credentials }));
  tabs.postMessage('changed');
}

/** Begins a session by the token of a one-time link. */
export async function signInByLink(token: string): Promise<void> {
  keep(await open.call('open_sign_in_link', { body: { token } }));
  tabs.postMessage('changed');
}

/** The operations of people who have no session: they carry a token of their own. */
export const openDoor = <Id extends 'accept_invitation' | 'reset_password'>(
  id: Id,
  body: Input<Id>['body'],
): Promise<Result<Id>> => open.call(id, { body } as Input<Id>);

export async function switchTenant(tenant_id: string): Promise<void> {
  keep(await acp.call('switch_browser_session', { body: { tenant_id } }));
  tabs.postMessage('changed');
  location.assign('/');
}

export async function signOut(): Promise<void> {
  await open.call('end_browser_session', {}).catch(() => {});
  keep(undefined);
  tabs.postMessage('ended');
  location.assign('/sign-in');
}

/** The server no longer knows the session. */
export function sessionEnded(): void {
  keep(undefined);
  const to = location.pathname + location.search;
  location.assign(`/sign-in?to=${encodeURIComponent(to)}`);
}

tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'ended' && session) location.assign('/sign-in');
});
