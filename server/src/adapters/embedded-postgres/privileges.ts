import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { errorCode } from './error.ts';

/** How a PostgreSQL program is started: the words before its command line, and the user it is spawned as. */
export interface Launch {
  readonly prefix: readonly string[];
  /** undefined: this process's own user */
  readonly user: User | undefined;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: User = { uid: 65534, gid: 65534 };

/** Root becomes nobody in a namespace of its own: PostgreSQL is content, files stay root's, mode 0700 above is no bar. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

/** The kernel sends SIGINT (to postgres: fast shutdown) when this process dies, by kill -9 too. */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/** Nothing of the service's environment (MASTER_KEY!) reaches the database. TZ spares initdb a search for it. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * PostgreSQL refuses to run as root. So: an ordinary user runs it directly; root in a user namespace where the
 * system allows one (Docker's default profile does not), else as nobody. A cluster that another user owns is run
 * as that user, so that it stays theirs.
 */
export async function chooseLaunch(directory: string): Promise<Launch> {
  const dieWithParent = (await works(DIE_WITH_PARENT)) ? DIE_WITH_PARENT : [];
  if (process.geteuid?.() !== 0) return { prefix: dieWithParent, user: undefined };
  const owner = await ownerOf(directory);
  if (owner !== undefined && owner.uid !== 0) return { prefix: dieWithParent, user: owner };
  // setpriv comes last: entering the namespace would clear what it sets
  if (await works(NAMESPACE)) return { prefix: [...NAMESPACE, ...dieWithParent], user: undefined };
  return { prefix: dieWithParent, user: NOBODY };
}

/** Undefined when the directory is not there. */
async function ownerOf(directory: string): Promise<User | undefined> {
  try {
    const { uid, gid } = await stat(directory);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Starts a program as the launch says; only its stderr is read. */
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
    // a process group of its own: Ctrl-C is for the service, which stops the database last
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
