import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { errorCode } from './error.ts';

export interface Launch {
  /** A command that runs the program. */
  readonly prefix: readonly string[];
  /** undefined: this process's user. */
  readonly user: User | undefined;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: User = { uid: 65534, gid: 65534 };

/** Maps root to nobody in a user namespace, so PostgreSQL starts, and files still belong to root. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

/** The kernel sends SIGINT (fast shutdown) when this process dies, even by kill -9. */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/** Not the service's environment, which may hold MASTER_KEY. TZ saves initdb a search for the time zone. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * PostgreSQL refuses to run as root. Root runs it as the cluster's owner, else in a user namespace if the system allows
 * one (Docker's default profile does not), else as nobody.
 */
export async function chooseLaunch(directory: string): Promise<Launch> {
  const dieWithParent = (await works(DIE_WITH_PARENT)) ? DIE_WITH_PARENT : [];
  if (process.geteuid?.() !== 0) return { prefix: dieWithParent, user: undefined };
  const owner = await ownerOf(directory);
  if (owner !== undefined && owner.uid !== 0) return { prefix: dieWithParent, user: owner };
  // setpriv comes last: entering the namespace clears its setting.
  if (await works(NAMESPACE)) return { prefix: [...NAMESPACE, ...dieWithParent], user: undefined };
  return { prefix: dieWithParent, user: NOBODY };
}

/** @returns undefined when the directory does not exist */
async function ownerOf(directory: string): Promise<User | undefined> {
  try {
    const { uid, gid } = await stat(directory);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Only stderr is piped. */
export function spawnProgram(
  launch: Launch,
  program: string,
  args: readonly string[],
): ChildProcessByStdio<null, null, Readable> {
  const [command = program, ...rest] = [...launch.prefix, program, ...args];
  return spawn(command, rest, {
    ...launch.user,
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own, so Ctrl-C reaches only the service, which stops the database last.
    detached: true,
  });
}

function works(prefix: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnProgram({ prefix, user: undefined }, 'true', []);
    child.stderr.resume();
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
