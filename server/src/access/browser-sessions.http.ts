import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import * as contract from './browser-sessions.contract.ts';
import { leaveFor, renewInBrowser } from './browser-sessions.ts';
import { requireSameOrigin } from './same-origin.ts';
import { noSessionCookie, readSessionCookie, sessionCookie } from './session-cookie.ts';
import { login, logout, type SessionServices, type TokenPair } from './sessions.ts';
import { createLink, signInByLink } from './sign-in-links.ts';

type Services = SessionServices & { settings: { public_url: () => string } };

/** The refresh token goes into the cookie alone. */
const signedIn = ({ settings }: Services, { refresh_token, ...shown }: TokenPair) => ({
  ...ok(shown),
  headers: sessionCookie(settings.public_url(), refresh_token),
});

const cookieOf = ({ settings }: Services, { headers }: FastifyRequest) =>
  readSessionCookie(settings.public_url(), headers.cookie);

const notSignedIn = () => unauthenticated('Nobody is signed in here');

export const browserSessionRoutes = [
  route(contract.createBrowserSession, async ({ body, request }, services: Services) => {
    requireSameOrigin(request.headers);
    return signedIn(services, await login(services, body, request.clientAddress));
  }),

  route(contract.refreshBrowserSession, async ({ body, request }, services: Services) => {
    requireSameOrigin(request.headers);
    const token = cookieOf(services, request);
    if (token === undefined) return noContent();
    return signedIn(services, await renewInBrowser(services, token, body.tenant_id ?? undefined));
  }),

  route(contract.switchBrowserSession, async ({ body, request }, services: Services) => {
    requireSameOrigin(request.headers);
    const token = cookieOf(services, request);
    if (token === undefined) throw notSignedIn();
    return signedIn(services, await leaveFor(services, token, body.tenant_id));
  }),

  route(contract.endBrowserSession, async ({ request }, services: Services) => {
    requireSameOrigin(request.headers);
    const token = cookieOf(services, request);
    if (token !== undefined) await logout(services, token);
    return { ...noContent(), headers: noSessionCookie(services.settings.public_url()) };
  }),

  route(contract.openSignInLink, async ({ body, request }, services: Services) => {
    requireSameOrigin(request.headers);
    return signedIn(services, await signInByLink(services, body.token));
  }),

  route(contract.createSignInLink, async ({ system, params }, { settings }: Services) =>
    created(await createLink({ db: { system }, public_url: settings.public_url() }, params)),
  ),
];
