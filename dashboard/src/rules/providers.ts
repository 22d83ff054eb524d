export interface CredentialField {
  name: string;
  label: string;
  /** Typed unseen. */
  isSecret: boolean;
}

const field = (name: string, label: string, isSecret = true): CredentialField => ({ name, label, isSecret });

interface Provider {
  words: string;
  fields: readonly CredentialField[];
}

/** Services whose credentials the control plane itself reads. Of others, the agent's runtime says what it wants. */
const PROVIDERS: Record<string, Provider> = {
  chatapp: { words: 'Chat app', fields: [field('access_token', 'Access token')] },
  google_drive: {
    words: 'Google Drive',
    fields: [
      field('client_id', 'Client id', false),
      field('client_secret', 'Client secret'),
      field('refresh_token', 'Refresh token'),
    ],
  },
  filesystem: {
    words: 'Folder of the server',
    fields: [field('root', 'Folder below DRIVE_FILESYSTEM_ROOT', false)],
  },
};

export const providerChoices = Object.entries(PROVIDERS).map(([slug, { words }]) => [slug, words] as const);

/** Undefined for a service that the control plane does not know. */
export const credentialFields = (provider: string): readonly CredentialField[] | undefined =>
  PROVIDERS[provider]?.fields;

export const providerWords = (provider: string): string => PROVIDERS[provider]?.words ?? provider;
