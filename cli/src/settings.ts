import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { usageError } from './errors.ts';
import { DEFAULT_PROFILE, type Profile, ProfileStore } from './profiles.ts';
import { Session } from './session.ts';

export interface GlobalFlags {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly json?: true | undefined;
  readonly quiet?: true | undefined;
}

export interface Settings {
  readonly store: ProfileStore;
  /** It may not exist yet. */
  readonly profileName: string;
  /** Undefined when neither a flag nor the environment names a profile. */
  readonly namedProfile: string | undefined;
  /** The profile that the address or the credential is of. */
  readonly usedProfile?: string;
  readonly url: string;
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly session?: Session;
  readonly operationsToken?: string;
  /** Credentials that were found in a local server's file. */
  readonly found?: { readonly path: string; readonly credentials: readonly ('tenant' | 'operations')[] };
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Precedence: flags, environment, profile, a local server's file. Credentials of a profile or file go only to the
 * address beside them. Credentials of the environment never go to an address from a local server's file.
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
      `"agentctl login --profile ${named}" creates it`,
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
  const profileAccess =
    !isTenant && profile?.url === url ? profileCredential(store, profileName, profile) : undefined;
  const own = {
    store,
    profileName,
    namedProfile: named,
    ...(profile?.url === url && { usedProfile: profileName }),
    url,
    ...tenant,
    ...profileAccess,
    ...(operationsToken && { operationsToken }),
  };
  if (!local || normalized(local.base_url) !== url) return own;

  const localKey = !isTenant && !profileAccess ? local.api_key : null;
  return {
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

function profileCredential(
  store: ProfileStore,
  name: string,
  profile: Profile,
): Pick<Settings, 'apiKey' | 'session'> | undefined {
  const { api_key, access_token } = profile;
  if (api_key) return { apiKey: api_key };
  return access_token ? { session: new Session(store, name, { ...profile, access_token }) } : undefined;
}

/** The message does not quote the value. Throws CliError for characters that no header can carry. */
function credential(env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (!/^[\x21-\x7e]+$/.test(value)) throw usageError(`${name} contains invalid characters`);
  return value;
}

/** Throws CliError unless it is an http(s) address without a user name. */
export function normalized(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError('the address of the server must begin with http:// or https://');
  if (url.username || url.password) throw usageError('the address of the server must not hold a user name');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** DATA_DIR/credentials.json, written at the first start on the embedded database (contract, section 2). */
interface LocalServer {
  /** Relative to the working directory where possible. */
  readonly path: string;
  readonly base_url: string;
  /** null when it was lost with an earlier file. */
  readonly api_key: string | null;
  readonly operations_token: string;
  /** Absent when its password is not in the file. */
  readonly admin?: { readonly email: string; readonly password: string };
}

/** @returns undefined without a complete file */
export async function findLocalServer(env: Readonly<NodeJS.ProcessEnv>): Promise<LocalServer | undefined> {
  const path = join(env.DATA_DIR || 'data', 'credentials.json');
  try {
    const { base_url, api_key, operations_token, admin } = JSON.parse(await readFile(path, 'utf8'));
    const texts = api_key === null ? [operations_token] : [api_key, operations_token];
    if (!texts.every((text) => typeof text === 'string' && text !== '')) return undefined;
    if (!URL.canParse(base_url)) return undefined;
    const signsIn = [admin?.email, admin?.password].every((text) => typeof text === 'string');
    return { path: nearby(path), base_url, api_key, operations_token, ...(signsIn && { admin }) };
  } catch {
    return undefined;
  }
}

function nearby(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : `./${short}`;
}
