import { parseCookie, stringifySetCookie } from 'cookie';
import { REFRESH_TOKEN_MS } from './sessions.ts';

const PATH = '/auth/browser-session';

/** Browsers share cookies between the ports of a host, so the name has the port. */
const nameOf = (public_url: string) => {
  const { port, protocol } = new URL(public_url);
  return `acp_session_${port || (protocol === 'https:' ? '443' : '80')}`;
};

const settingOf = (public_url: string, value: string, seconds: number) => ({
  'set-cookie': stringifySetCookie({
    name: nameOf(public_url),
    value,
    path: PATH,
    maxAge: seconds,
    httpOnly: true,
    sameSite: 'strict',
    secure: public_url.startsWith('https:'),
  }),
});

export const readSessionCookie = (public_url: string, header: string | undefined): string | undefined =>
  header === undefined ? undefined : parseCookie(header)[nameOf(public_url)];

/** Only the routes of the browser's session get it back. */
export const sessionCookie = (public_url: string, refresh_token: string) =>
  settingOf(public_url, refresh_token, REFRESH_TOKEN_MS / 1000);

export const noSessionCookie = (public_url: string) => settingOf(public_url, '', 0);
