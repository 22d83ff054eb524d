import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageError } from './errors.ts';

/** Credentials are sent only to this address. */
export interface Profile {
  readonly url: string;
  readonly api_key?: string;
  readonly email?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

export interface Profiles {
  /** Used when none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const DEFAULT_PROFILE = 'default';

export interface ProfilePlace {
  readonly name?: string | undefined;
  /** For a profile without a given name; by default the host's name. */
  readonly newName?: string | undefined;
  /** An API key is shown once, so it is replaced only when asked for. */
  readonly replacesKey?: boolean | undefined;
}

/** Throws CliError when the named profile must not be replaced. */
export function nameFor(known: Profiles, url: string, { name, newName, replacesKey }: ProfilePlace): string {
  const { profiles, current } = known;
  const mayTake = (each: string) => {
    const there = Object.hasOwn(profiles, each) ? profiles[each] : undefined;
    return !there || (there.url === url && (!there.api_key || replacesKey === true));
  };
  if (name !== undefined) {
    if (!mayTake(name)) throw taken(name, profiles[name]?.url ?? '', url);
    return name;
  }
  if (Object.keys(profiles).length === 0) return newName ?? DEFAULT_PROFILE;
  if (current !== undefined && Object.hasOwn(profiles, current) && mayTake(current)) return current;
  const own = newName ?? new URL(url).host;
  let free = own;
  for (let more = 2; !mayTake(free); more++) free = `${own}-${more}`;
  return free;
}

const taken = (name: string, theirs: string, url: string) =>
  theirs === url
    ? usageError(
        `profile ${name} holds an API key, which cannot be shown again`,
        'choose another name with --profile, or replace the key with --yes',
      )
    : usageError(`profile ${name} is for ${theirs}, not for ${url}`, 'choose another name with --profile');

const LOCK_RETRY_MS = 25;

/** The XDG base directory specification says to ignore relative paths. */
function profilePath(env: Readonly<NodeJS.ProcessEnv>): string {
  const base = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(homedir(), '.config');
  return join(base, 'agentctl', 'config.json');
}

/** The file may have been edited by hand. */
const isProfile = (value: Profile | null): boolean => typeof value?.url === 'string';

/** The profiles file, mode 0600. Several processes may change it concurrently. */
export class ProfileStore {
  readonly path: string;

  constructor(env: Readonly<NodeJS.ProcessEnv>) {
    this.path = profilePath(env);
  }

  /** Throws CliError for an invalid file. */
  async read(): Promise<Profiles> {
    try {
      const found = JSON.parse(await readFile(this.path, 'utf8')) as Partial<Profiles> | null;
      const profiles = found?.profiles;
      if (profiles && Object.values(profiles).every(isProfile)) return { ...found, profiles };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return { profiles: {} };
      if (!(error instanceof SyntaxError)) throw usageError(`${this.path} cannot be read (${code})`);
    }
    throw usageError(`${this.path} is not a profiles file`, 'remove it and sign in again');
  }

  /**
   * Runs `change` under a lock and saves the profiles that it returns, if any. Throws CliError when the file cannot
   * be written.
   */
  async change<T>(change: (profiles: Profiles) => Promise<{ profiles?: Profiles; result: T }>): Promise<T> {
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      const release = await acquireLock(this.path);
      try {
        const { profiles, result } = await change(await this.read());
        if (profiles) await this.#write(profiles);
        return result;
      } finally {
        await release();
      }
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      throw usageError(`${this.path} cannot be written (${code})`);
    }
  }

  /**
   * Saves a profile and never replaces one of another server. The first one becomes the current one, as does one
   * without a given name. @returns its name
   */
  keep(profile: Profile, place: ProfilePlace): Promise<string> {
    return this.change(async (known) => {
      const name = nameFor(known, profile.url, place);
      const current = place.name === undefined ? name : (known.current ?? name);
      return { profiles: { current, profiles: { ...known.profiles, [name]: profile } }, result: name };
    });
  }

  /** Atomic, even when the process is killed. */
  async #write(profiles: Profiles): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.path);
    } finally {
      await rm(draft, { force: true });
    }
  }
}

/**
 * The holder refreshes the lock, so a killed process loses it after 10 seconds. The retries of proper-lockfile would
 * also repeat a permission error.
 */
async function acquireLock(path: string): Promise<() => Promise<void>> {
  // Most commands change no profile.
  const { lock } = await import('proper-lockfile');
  for (;;) {
    try {
      // A suspended holder may lose the lock. The server forgives a token used twice within 10 seconds.
      const release = await lock(path, { realpath: false, onCompromised: () => {} });
      return () => release().catch(() => {});
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}
