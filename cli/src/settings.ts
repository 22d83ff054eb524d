import { usageError } from './errors.ts';
import { findLocalServer } from './local-server.ts';
import { DEFAULT_PROFILE, type Profile, ProfileStore } from './profiles.ts';
import { Session } from './session.ts';

/** The options of every command. */
export interface GlobalFlags {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly json?: true | undefined;
  readonly quiet?: true | undefined;
}

/** Where to speak to, and as whom. */
export interface Settings {
  readonly store: ProfileStore;
  /** The profile that counts, whether it is there already or not. */
  readonly profileName: string;
  readonly url: string;
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly session?: Session;
  readonly operationsToken?: string;
  /** The file that a credential comes from without anybody having said so. */
  readonly found?: { readonly path: string; readonly credentials: readonly ('tenant' | 'operations')[] };
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Flags before environment before profile before a local server's file. The credentials of a profile and of a file go
 * to the address that stands beside them, and those of the environment never to an address that a file gives.
 */
export async function readSettings(
  flags: GlobalFlags,
  env: Readonly<NodeJS.ProcessEnv>,
  mayBeNew = false,
): Promise<Settings> {
  const store = new ProfileStore(env);
  const { profiles, current } = await store.read();
  const named = flags.profile ?? (env.ACP_PROFILE || undefined);
  const profileName = named ?? current ?? DEFAULT_PROFILE;
  const profile = Object.hasOwn(profiles, profileName) ? profiles[profileName] : undefined;
  if (named !== undefined && !profile && !mayBeNew) {
    throw usageError(
      `there is no profile ${JSON.stringify(named)}`,
      `"agentctl login --profile ${named}" makes it`,
    );
  }
  const apiKey = credential(env, 'ACP_API_KEY');
  const accessToken = credential(env, 'ACP_TOKEN');
  const operationsToken = credential(env, 'ACP_OPERATIONS_TOKEN');
  const ofEnvironment = apiKey ?? accessToken ?? operationsToken;

  const local = await findLocalServer(env);
  const nearbyUrl = ofEnvironment === undefined ? local?.base_url : undefined;
  const url = normalized(flags.url ?? (env.ACP_URL || undefined) ?? profile?.url ?? nearbyUrl ?? DEFAULT_URL);
  const tenant = { ...(apiKey && { apiKey }), ...(accessToken && { accessToken }) };
  const isTenant = apiKey !== undefined || accessToken !== undefined;
  const kept = !isTenant && profile?.url === url ? keptIn(store, profileName, profile) : undefined;
  const own = { ...tenant, ...kept, ...(operationsToken && { operationsToken }) };
  if (!local || normalized(local.base_url) !== url) return { store, profileName, url, ...own };

  const localKey = !isTenant && !kept ? local.api_key : null;
  return {
    store,
    profileName,
    url,
    ...(localKey !== null && { apiKey: localKey }),
    operationsToken: local.operations_token,
    ...own,
    found: {
      path: local.path,
      credentials: [
        ...(localKey === null ? [] : ['tenant' as const]),
        ...(operationsToken ? [] : ['operations' as const]),
      ],
    },
  };
}

function keptIn(
  store: ProfileStore,
  name: string,
  profile: Profile,
): Pick<Settings, 'apiKey' | 'session'> | undefined {
  const { api_key, access_token } = profile;
  if (api_key) return { apiKey: api_key };
  return access_token ? { session: new Session(store, name, { ...profile, access_token }) } : undefined;
}

/** Throws CliError for what no header can carry, without repeating it. */
function credential(env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (!/^[\x21-\x7e]+$/.test(value)) throw usageError(`${name} has characters that no credential has`);
  return value;
}

/** Throws CliError for what no request can be sent to. */
function normalized(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError('the address of the server is not one of http or https');
  if (url.username || url.password) throw usageError('the address of the server holds a user name');
  return url.origin + url.pathname.replace(/\/+$/, '');
}
