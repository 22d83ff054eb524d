import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { usageError } from './errors.ts';

/** What `agentctl login` keeps of one server. Its credentials are sent to its own address and nowhere else. */
export interface Profile {
  readonly url: string;
  readonly api_key?: string;
  readonly email?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

export interface Profiles {
  /** The one that counts where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const DEFAULT_PROFILE = 'default';

const LOCK_RETRY_MS = 25;

/** The XDG base directory specification: a relative XDG_CONFIG_HOME does not count. */
function profilePath(env: Readonly<NodeJS.ProcessEnv>): string {
  const base = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(homedir(), '.config');
  return join(base, 'agentctl', 'config.json');
}

/** A file that somebody has written into may have anything there. */
const isProfile = (value: Profile | null): boolean => typeof value?.url === 'string';

/** The file of profiles, mode 0600. Several processes may change it at once. */
export class ProfileStore {
  readonly path: string;

  constructor(env: Readonly<NodeJS.ProcessEnv>) {
    this.path = profilePath(env);
  }

  /** None where there is no file yet. Throws CliError for what is no file of profiles. */
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
    throw usageError(`${this.path} is not a file of profiles`, 'remove it, and sign in anew');
  }

  /**
   * Changes the profiles while nobody else does. @returns what `change` gives back; it may leave them as they are.
   * Throws CliError where the file cannot be written
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

  /** Keeps a profile, in place of one of the same name. The first one is the current one. */
  keep(name: string, profile: Profile): Promise<void> {
    return this.change(async (known) => {
      const { current = name } = known;
      const profiles = { current, profiles: { ...known.profiles, [name]: profile } };
      return { profiles, result: undefined };
    });
  }

  /** Whole or not at all, whenever it ends. */
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
 * Waits until no other process holds the lock. The holder refreshes it, so the lock of a killed process is taken over
 * after 10 seconds. proper-lockfile's own retries would also repeat a missing permission, hence the loop.
 */
async function acquireLock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      // A holder that was suspended for too long loses the lock; the server forgives a token used twice for 10 seconds.
      const release = await lock(path, { realpath: false, onCompromised: () => {} });
      return () => release().catch(() => {});
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}
