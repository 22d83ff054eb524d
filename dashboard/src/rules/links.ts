/** The token stands behind `#`, which browsers send to no server, so no log has it. */
const withToken = (base_url: string, path: string, token: string): string =>
  `${base_url.replace(/\/$/, '')}${path}#token=${encodeURIComponent(token)}`;

export const invitationLink = (base_url: string, token: string): string =>
  withToken(base_url, '/invitations/accept', token);

export const passwordResetLink = (base_url: string, token: string): string =>
  withToken(base_url, '/password-reset', token);
