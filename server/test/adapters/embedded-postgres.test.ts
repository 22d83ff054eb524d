import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findBinaries, hydrateSymlinks } from '../../src/adapters/embedded-postgres/binaries.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/adapters/embedded-postgres/launcher.ts';
import { readPostmasterPid, serves } from '../../src/adapters/embedded-postgres/stale-lock.ts';
import { type Child, compileAdapters, startChild } from '../support/child-process.ts';

const IS_ROOT = process.geteuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

/** Prints the URL or the error, and the reason when postgres exits. Stops at the end of stdin. */
const SCRIPT = `
import { startEmbeddedPostgres } from './out/embedded-postgres/launcher.js';
try {
  const postgres = await startEmbeddedPostgres({
    directory: process.argv[2],
    settings: { fsync: 'off' },
    onExit: (reason) => console.log(reason),
  });
  console.log(postgres.url);
  process.stdin.resume().once('end', async () => {
    await postgres.stop();
    console.log('stopped');
  });
} catch (error) {
  console.log(error.name + ': ' + error.message);
}
`;

/** Never renames a new cluster to its final name. */
const STUCK = `
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
fs.rename = () => new Promise((resolve) => setInterval(() => {}, 60_000));
syncBuiltinESMExports();
await import('./start.js');
`;

/** Forbids user namespaces by the kernel's limit; Docker's default profile forbids them, too. */
const WITHOUT_NAMESPACES = `
echo unshared; read go
echo 0 > /proc/sys/user/max_user_namespaces
exec "$@"
`;

let place: string;
/** A stopped cluster, which tests copy: faster than initdb. */
let template: string;
const running: EmbeddedPostgres[] = [];
const children: Child[] = [];

beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-')));
  await chmod(place, 0o755);
  await prepareScript(place);
  template = join(place, 'template', 'postgres');
  await (await startEmbeddedPostgres({ directory: template, settings: { fsync: 'off' } })).stop();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL');
    await child.exited;
  }
});

afterAll(async () => {
  await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

async function prepareScript(directory: string): Promise<void> {
  await compileAdapters(directory, ['embedded-postgres/launcher.ts']);
  await writeFile(join(directory, 'start.js'), SCRIPT);
  await writeFile(join(directory, 'stuck.js'), STUCK);
}

async function copyTemplate(name: string): Promise<string> {
  const parent = join(place, name);
  await mkdir(parent);
  await promisify(execFile)('cp', ['--archive', template, `${template}.password`, parent]);
  return join(parent, 'postgres');
}

type Listeners = Pick<Parameters<typeof startEmbeddedPostgres>[0], 'onExit' | 'onBack' | 'onFailure'>;

async function start(directory: string, listeners: Listeners = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' }, ...listeners });
  running.push(postgres);
  return postgres;
}

function startInChild(
  directory: string,
  user?: { uid: number; gid: number },
  script: 'start.js' | 'stuck.js' = 'start.js',
): Child {
  const child = startChild(process.execPath, [join(place, script), directory], user);
  children.push(child);
  return child;
}

async function startWithoutNamespaces(script: string, directory: string): Promise<Child> {
  const command = ['sh', '-c', WITHOUT_NAMESPACES, 'sh', process.execPath, script, directory];
  const child = startChild('unshare', ['--user', '--keep-caps', ...command]);
  children.push(child);
  expect(await child.nextLine()).toBe('unshared');
  await writeFile(`/proc/${child.process.pid}/uid_map`, '0 0 65536\n');
  await writeFile(`/proc/${child.process.pid}/gid_map`, '0 0 65536\n');
  child.process.stdin.write('go\n');
  return child;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterOf(directory: string): Promise<number> {
  const { pid } = await readPostmasterPid(directory);
  if (pid === undefined) throw new Error(`No postmaster.pid in ${directory}`);
  return pid;
}

async function stopped(pid: number, directory: string): Promise<void> {
  await vi.waitFor(async () => expect(await serves(pid, directory)).toBe(false), {
    timeout: 60_000,
    interval: 10,
  });
}

describe('a cluster', () => {
  test('is created by the first start and kept by the next', async () => {
    const directory = join(place, 'kept', 'postgres');
    const first = await start(directory);
    expect(first.url).toMatch(/^postgres:\/\/postgres:[\w-]{43}@127\.0\.0\.1:\d+\/control_plane\?/);
    expect(first.dataDir).toBe(directory);
    const facts = await query(
      first.url,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, current_setting('data_checksums') AS checksums,
        current_setting('password_encryption') AS passwords, current_setting('listen_addresses') AS addresses,
        current_setting('unix_socket_directories') AS sockets, current_setting('fsync') AS fsync
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(facts).toEqual([
      {
        encoding: 'UTF8',
        datcollate: 'C',
        checksums: 'on',
        passwords: 'scram-sha-256',
        addresses: '127.0.0.1',
        sockets: '',
        fsync: 'off',
      },
    ]);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await Promise.all([first.stop(), first.stop()]);
    expect(await readdir(dirname(directory))).toEqual(['postgres', 'postgres.password']);

    const second = await start(directory);
    expect(await query(second.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('requires the password, which only its owner can read', async () => {
    const { url } = await start(await copyTemplate('secret'));
    const guessed = new URL(url);
    guessed.password = 'guess';
    await expect(query(guessed.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(`${template}.password`)).mode & 0o777).toBe(0o600);
    expect((await stat(template)).mode & 0o777).toBe(0o700);
  });

  test('is served by a login without rights, whose password is new at each start', async () => {
    const directory = await copyTemplate('login');
    const first = await start(directory);
    const rights = `SELECT session_user::text AS login, rolsuper, rolcreaterole, rolcreatedb, rolinherit, rolbypassrls
                    FROM pg_roles WHERE rolname = session_user`;
    const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolinherit: false };
    expect(await query(first.loginUrl, rights)).toEqual([
      { login: 'acp_login', ...none, rolbypassrls: false },
    ]);
    await first.stop();
    const second = await start(directory);
    expect(new URL(second.loginUrl).password).not.toBe(new URL(first.loginUrl).password);
    expect(await query(second.loginUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('works deep inside a private directory, and through a link', async () => {
    const home = join(place, 'home');
    await mkdir(home, { mode: 0o700 });
    const directory = join(home, 'd'.repeat(120), 'postgres');
    const first = await start(directory);
    await first.stop();
    const link = join(home, 'link');
    await symlink(directory, link);
    const second = await start(link);
    expect(second.dataDir).toBe(directory);
  });

  test('is created again after a kill during its creation', async () => {
    const directory = join(place, 'half', 'postgres');
    const left = join(dirname(directory), 'postgres.init-left');
    await mkdir(left, { recursive: true });
    const child = startInChild(directory, undefined, 'stuck.js');
    await vi.waitFor(() => stat(`${directory}.password`), { timeout: 60_000, interval: 1 });
    const made = (await readdir(dirname(directory))).find((name) => name.startsWith('postgres.init-'));
    await vi.waitFor(() => stat(join(dirname(directory), made ?? '', 'base')), {
      timeout: 60_000,
      interval: 1,
    });
    child.process.kill('SIGKILL');
    await child.exited;
    await expect(stat(directory)).rejects.toThrow('ENOENT');
    const { url } = await start(directory);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  test('is not created among other files', async () => {
    const directory = join(place, 'foreign');
    await mkdir(directory);
    await writeFile(join(directory, 'holiday.jpg'), '');
    await expect(start(directory)).rejects.toThrow(
      `${directory} is neither empty nor a PostgreSQL cluster: move it away or choose another DATA_DIR`,
    );
  });
});

describe('a postmaster', () => {
  test('that exits by itself is reported once, and started again where it was; one that is stopped is not', async () => {
    const directory = await copyTemplate('dying');
    const onExit = vi.fn<(reason: string) => void>();
    const onBack = vi.fn();
    const first = await start(directory, { onExit, onBack });
    const postmaster = await postmasterOf(directory);
    process.kill(postmaster, 'SIGKILL');
    await vi.waitFor(() => expect(onBack).toHaveBeenCalledTimes(1), { timeout: 60_000, interval: 10 });
    expect(onExit.mock.calls).toEqual([['postgres ended with SIGKILL']]);
    expect(await query(first.loginUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const second = await postmasterOf(directory);
    expect(second).not.toBe(postmaster);
    await first.stop();
    await stopped(second, directory);
    expect(onExit).toHaveBeenCalledTimes(1);
  });

  test('is reported with the reason of its exit, not with an error of a client', async () => {
    const directory = await copyTemplate('failing');
    const onExit = vi.fn<(reason: string) => void>();
    const onFailure = vi.fn<(error: Error) => void>();
    const { url } = await start(directory, { onExit, onFailure });
    await expect(query(url.replace('control_plane', 'no_such'), 'SELECT 1')).rejects.toThrow(
      'does not exist',
    );
    const checkpointer = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`;
    const [row] = await query(url, checkpointer);
    // Crash recovery needs this file.
    await rm(join(directory, 'global', 'pg_control'));
    process.kill(Number(row?.pid), 'SIGKILL');
    await vi.waitFor(() => expect(onExit).toHaveBeenCalled(), { timeout: 60_000, interval: 10 });
    expect(onExit.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^postgres ended with \w+: could not open file "global\/pg_control": No such file/,
        ),
      ],
    ]);
    await vi.waitFor(() => expect(onFailure).toHaveBeenCalledTimes(1), { timeout: 60_000, interval: 10 });
    expect(onFailure.mock.calls[0]?.[0].message).toMatch(/^Cannot start the embedded PostgreSQL: /);
  });

  test('stops when its parent is killed, and loses nothing', async () => {
    const directory = await copyTemplate('parent');
    const child = startInChild(directory);
    const url = await child.nextLine();
    const postmaster = await postmasterOf(directory);
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
    child.process.kill('SIGKILL');
    await stopped(postmaster, directory);
    const { url: next } = await start(directory);
    expect(await query(next, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('does not block the next start as a zombie', async () => {
    const directory = await copyTemplate('zombie');
    const child = startInChild(directory);
    const url = await child.nextLine();
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
    const postmaster = await postmasterOf(directory);
    // A stopped parent does not reap it, as the PID 1 of many containers.
    child.process.kill('SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    await vi.waitFor(
      async () => expect(await readFile(`/proc/${postmaster}/stat`, 'utf8')).toContain(') Z '),
      { timeout: 60_000 },
    );
    const { url: next } = await start(directory);
    expect(await query(next, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('is stopped first when it still serves the cluster', async () => {
    const directory = await copyTemplate('orphan');
    const child = startInChild(directory);
    await child.nextLine();
    // One that lives would start it again.
    child.process.kill('SIGSTOP');
    const { url } = await start(directory);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('is not confused with another process that has its pid', async () => {
    const directory = await copyTemplate('stranger');
    await writeFile(join(directory, 'postmaster.pid'), `${process.pid}\n${directory}\n`);
    const { url } = await start(directory);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('reports in one line why it cannot start', async () => {
    const directory = await copyTemplate('wrong');
    const settings = { shared_buffers: 'nonsense' };
    await expect(startEmbeddedPostgres({ directory, settings })).rejects.toThrow(
      /^Cannot start the embedded PostgreSQL: invalid value for parameter "shared_buffers": "nonsense"$/,
    );
  });
});

describe('a copied cluster', () => {
  test('with open permissions is refused in one line that names the required mode', async () => {
    const directory = await copyTemplate('open');
    await chmod(directory, 0o755);
    await expect(start(directory)).rejects.toThrow(
      /^Cannot start .*: data directory ".*" has invalid permissions: Permissions should be u=rwx \(0700\) .*$/,
    );
  });

  test('from another version of PostgreSQL is refused in one line that names both versions', async () => {
    const directory = await copyTemplate('old');
    await writeFile(join(directory, 'PG_VERSION'), '17\n');
    await expect(start(directory)).rejects.toThrow(
      /^Cannot start .*: database files are incompatible with server: .* initialized by PostgreSQL version 17, .* version 18\.\d+\.$/,
    );
  });
});

describe('the programs', () => {
  test('are a release of PostgreSQL', async () => {
    const { native } = await findBinaries();
    const { stdout } = await promisify(execFile)(join(native, 'bin/postgres'), ['--version']);
    // A beta is 18beta1, a candidate 18rc1.
    expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+\.\d+\n$/);
  });

  test('get the links that npm packages lack, also concurrently and repeatedly', async () => {
    const { native } = await findBinaries();
    const copy = join(place, 'package');
    await mkdir(join(copy, 'native/lib'), { recursive: true });
    await cp(join(native, 'pg-symlinks.json'), join(copy, 'native/pg-symlinks.json'));
    await Promise.all([hydrateSymlinks(copy), hydrateSymlinks(copy)]);
    await hydrateSymlinks(copy);
    expect(await readdir(join(copy, 'native/lib'))).toHaveLength(14);
    expect(await readlink(join(copy, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  });

  test('are missing on some systems; the error suggests DATABASE_URL', async () => {
    const { arch } = process;
    Object.defineProperty(process, 'arch', { value: 's390x' });
    try {
      await expect(start(join(place, 'mainframe', 'postgres'))).rejects.toThrow(
        /^There is no embedded PostgreSQL for this system \(linux-s390x; .*set DATABASE_URL/,
      );
    } finally {
      Object.defineProperty(process, 'arch', { value: arch });
    }
  });
});

describe.runIf(IS_ROOT)('privileges', () => {
  test('an ordinary user runs it directly, and root does not change its owner', async () => {
    const directory = join(place, 'ordinary', 'postgres');
    await mkdir(dirname(directory), { mode: 0o700 });
    await chown(dirname(directory), NOBODY.uid, NOBODY.gid);
    const child = startInChild(directory, NOBODY);
    await query(await child.nextLine(), 'CREATE TABLE kept AS SELECT 1 AS id');
    child.process.stdin.end();
    expect(await child.nextLine()).toBe('stopped');

    const { url } = await start(directory);
    expect((await stat(`/proc/${await postmasterOf(directory)}`)).uid).toBe(NOBODY.uid);
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('without namespaces root runs it as nobody, with programs copied to a reachable place', async () => {
    const project = join(place, 'closed-project');
    await mkdir(project, { mode: 0o700 });
    await prepareScript(project);
    await installWithoutLinks(join(project, 'node_modules'));
    const directory = join(place, 'nobody', 'postgres');
    await mkdir(dirname(directory), { mode: 0o700 });

    const child = await startWithoutNamespaces(join(project, 'start.js'), directory);
    await query(await child.nextLine(), 'CREATE TABLE kept AS SELECT 1 AS id');
    const postmaster = await postmasterOf(directory);
    expect((await stat(`/proc/${postmaster}`)).uid).toBe(NOBODY.uid);
    expect(await readlink(`/proc/${postmaster}/exe`)).toContain(`${directory}.binaries-`);
    // The group nobody may enter the directory, but not list it.
    expect((await stat(dirname(directory))).mode & 0o777).toBe(0o710);
    child.process.kill('SIGKILL');
    await stopped(postmaster, directory);

    const { url } = await start(directory);
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('without namespaces nobody becomes the owner of a cluster of root', async () => {
    const directory = await copyTemplate('given');
    const first = await start(directory);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await first.stop();
    expect((await stat(directory)).uid).toBe(0);
    const child = await startWithoutNamespaces(join(place, 'start.js'), directory);
    expect(await query(await child.nextLine(), 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    expect((await stat(directory)).uid).toBe(NOBODY.uid);
  });

  test('without namespaces the error names a closed parent directory', async () => {
    const home = join(place, 'closed-home');
    await mkdir(home, { mode: 0o700 });
    const child = await startWithoutNamespaces(join(place, 'start.js'), join(home, 'data', 'postgres'));
    expect(await child.nextLine()).toBe(
      `EmbeddedPostgresError: PostgreSQL does not run as root, and as user 65534 it cannot enter ${home}: ` +
        'choose a DATA_DIR that every user can reach, run as an ordinary user, or set DATABASE_URL',
    );
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });
});

/** As npm does without install scripts. */
async function installWithoutLinks(target: string): Promise<void> {
  const { native } = await findBinaries();
  const installed = dirname(native);
  const source = resolve(installed, '../..');
  await rm(target);
  await mkdir(join(target, '@embedded-postgres'), { recursive: true });
  await symlink(join(source, 'pg'), join(target, 'pg'));
  await cp(installed, installed.replace(source, target), {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
}
