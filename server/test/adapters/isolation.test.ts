import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { Cgroups } from '../../src/adapters/process-engine/cgroups.ts';
import { fetchRuntime } from '../../src/adapters/process-engine/connections.ts';
import { Isolation } from '../../src/adapters/process-engine/isolation.ts';
import { runtimeUrl } from '../../src/adapters/runtime-pools.ts';
import type { Log } from '../../src/platform/ports.ts';
import { silentLog } from '../support/log.ts';
import { ADDRESSES, EngineBench, pidsOf, runtimesOf, specOf } from '../support/runtimes.ts';

const ONE = '00000000-0000-4000-8000-000000000001';
const TWO = '00000000-0000-4000-8000-000000000002';
const SERVER = resolve(import.meta.dirname, '../..');
const PROGRAM = join(SERVER, 'test/support/breaking-runtime.mjs');
const COMMAND = [process.execPath, PROGRAM];

let place: string;
let dataDir: string;
const benches: EngineBench[] = [];

beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'isolation-')));
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(place, 'data-'));
  await writeFile(join(dataDir, 'master.key'), 'the master key', { mode: 0o600 });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(benches.splice(0).map((made) => made.close()));
  expect(await pidsOf(dataDir), 'no process is left').toEqual([]);
});
afterAll(() => rm(place, { recursive: true, force: true }));

function bench(settings: ConstructorParameters<typeof EngineBench>[1] = {}): EngineBench {
  const made = new EngineBench(dataDir, { command: COMMAND, isolation: 'required', ...settings });
  benches.push(made);
  return made;
}

type Outcome = { got?: unknown; refused?: string };

async function attempt(address: string, kind: string, argument?: unknown): Promise<Outcome> {
  const query = encodeURIComponent(JSON.stringify([kind, argument]));
  const url = runtimeUrl(address, '/try');
  url.search = query;
  return (await fetchRuntime(url)).json() as Promise<Outcome>;
}

const NAMESPACES = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--fork', 'true'];
const isPossible = spawnSync('unshare', NAMESPACES).status === 0;
if (!isPossible) process.stderr.write('Isolation is not tested: this machine allows no user namespaces\n');

describe.runIf(isPossible)('an isolated runtime', () => {
  test('sees no file of the service or of another runtime', async () => {
    const hidden = await mkdtemp(join(place, 'hidden-'));
    await writeFile(join(hidden, 'secret'), 'x');
    const made = bench({ hidden: [hidden] });
    const [one, two] = [await made.start(ONE), await made.start(TWO)];
    expect(await attempt(two, 'list', dataDir)).toEqual({ got: ['runtimes'] });
    expect(await attempt(two, 'list', join(dataDir, 'runtimes'))).toEqual({ got: [TWO] });
    expect(await attempt(one, 'list', join(dataDir, 'runtimes'))).toEqual({ got: [ONE] });
    const unseen = [join(dataDir, 'master.key'), join(dataDir, 'runtimes', `${ONE}.log`), hidden];
    unseen.push(join(SERVER, 'confine-runtime.sh'), join(SERVER, 'src/main.ts'), '/root', '/home', '/var');
    for (const path of [...unseen, '/etc/shadow', '/run', '/.old/etc', '/sys/kernel', '/proc/1/root/etc']) {
      expect(await attempt(two, 'list', path), path).toEqual({
        refused: expect.stringMatching(/ENOENT|EACCES/),
      });
      expect(await attempt(two, 'read', path), path).toEqual({
        refused: expect.stringMatching(/ENOENT|EACCES/),
      });
    }
  });

  test('can write only to its STATE_DIR and /tmp', async () => {
    const made = bench();
    const address = await made.start(ONE);
    const own = join(dataDir, 'runtimes', ONE, 'own');
    expect(await attempt(address, 'write', own)).toEqual({ got: null });
    expect(await readFile(own, 'utf8')).toBe('written');
    expect(await attempt(address, 'write', '/tmp/own')).toEqual({ got: null });
    await expect(stat('/tmp/own')).rejects.toThrow('ENOENT');
    const program = await readFile(PROGRAM, 'utf8');
    const [shm, host] = ['/dev/shm/own', '/proc/sys/kernel/hostname'];
    expect(await attempt(address, 'write', shm)).toEqual({ got: null });
    await expect(stat(shm)).rejects.toThrow('ENOENT');
    for (const path of [PROGRAM, process.execPath, '/etc/passwd', '/bin/sh', host, '/proc/sysrq-trigger']) {
      expect(await attempt(address, 'open', path), path).toEqual({
        refused: expect.stringMatching(/EROFS|EACCES|ENOENT|EPERM/),
      });
    }
    for (const path of ['/new', '/etc/new', '/usr/new', join(dataDir, 'new')]) {
      expect(await attempt(address, 'write', path), path).toEqual({
        refused: expect.stringMatching(/EROFS|EACCES|EPERM/),
      });
    }
    expect(await readFile(PROGRAM, 'utf8')).toBe(program);
  });

  test('sees and signals only its own processes, and not the memory of PostgreSQL', async () => {
    const made = bench();
    const [address, other] = [await made.start(ONE), await made.start(TWO)];
    expect(other).not.toBe(address);
    const others = (await runtimesOf(dataDir)).map(({ pid }) => pid);
    // Low pids also exist in its own namespace.
    for (const pid of [process.pid, process.ppid, ...others].filter((pid) => pid > 100)) {
      expect(await attempt(address, 'read', `/proc/${pid}/environ`), `${pid}`).toEqual({ refused: 'ENOENT' });
      expect(await attempt(address, 'signal', pid), `${pid}`).toEqual({ refused: 'ESRCH' });
    }
    const segment = `/dev/shm/PostgreSQL.${randomUUID()}`;
    await writeFile(segment, 'x');
    onTestFinished(() => rm(segment));
    expect(await attempt(address, 'read', segment)).toEqual({ refused: 'ENOENT' });
    const { got } = await attempt(address, 'shell', 'kill -9 1; cat /proc/1/mem || ipcs -m | grep -c 0x');
    expect(got).toMatchObject({ stdout: '0' });
    // This kills all processes that it sees: its own.
    await attempt(address, 'shell', 'kill -9 -1').catch(() => {});
    expect(await attempt(other, 'environment')).toMatchObject({ got: { INSTANCE_ID: TWO } });
  });

  test('cannot undo its isolation', async () => {
    const address = await bench().start(ONE);
    const attempts = [
      `umount ${join(dataDir)}`,
      'umount -l /',
      'mount -o remount,rw /',
      'mount -o remount,rw,bind /usr',
      'nsenter --target 1 --mount true',
      'unshare --user --map-root-user --mount sh -c "mount -o remount,rw,bind /usr || umount /usr"',
      'unshare --user --map-root-user --mount sh -c "mount -t proc proc /proc && ls /proc/self/../../.old/etc"',
      'mknod /tmp/disk b 8 0',
      'chroot /proc/1/root true',
    ];
    for (const command of attempts) {
      const { got } = await attempt(address, 'shell', command);
      expect(got, command).not.toMatchObject({ status: 0 });
    }
  });

  test('has its own environment without variables of the service', async () => {
    vi.stubEnv('MASTER_KEY', 'the-master-key');
    const address = await bench().start(ONE, { PROXY_KEY: 'k' });
    const stateDir = join(dataDir, 'runtimes', ONE);
    const { got } = await attempt(address, 'environment');
    expect(got).toMatchObject({ PROXY_KEY: 'k', STATE_DIR: stateDir, HOME: stateDir });
    expect(got).not.toHaveProperty('MASTER_KEY');
  });

  test('ends with all its processes when it is stopped, or when its first process is killed', async () => {
    const made = bench({ graceMs: 500 });
    const address = await made.start(ONE);
    await attempt(address, 'shell', 'setsid sleep 1000 >/dev/null 2>&1 &');
    // The shell that started it may need a moment to exit.
    await vi.waitFor(async () => expect(await pidsOf(dataDir)).toHaveLength(5), { timeout: 60_000 });
    await made.stop(ONE);
    expect(await pidsOf(dataDir)).toEqual([]);
    await attempt(await made.start(ONE), 'shell', 'setsid sleep 1000 >/dev/null 2>&1 &');
    const [first] = (await runtimesOf(dataDir)).map(({ pid }) => pid).toSorted((a, b) => a - b);
    process.kill(first ?? expect.unreachable(), 'SIGKILL');
    await vi.waitFor(async () => expect(await pidsOf(dataDir)).toEqual([]), { timeout: 60_000 });
  });
});

test.runIf(isPossible)('a later server adopts an isolated runtime, and ends it', async () => {
  const made = bench();
  const address = await made.start(ONE);
  const later = bench();
  await later.engine.recover(ADDRESSES);
  expect(later.announced).toEqual([[ONE, address]]);
  expect(later.observed.get(ONE)).toMatchObject({ generation: 1, spec_hash: 'hash', phase: 'up' });
  await later.stop(ONE);
  expect(await pidsOf(dataDir)).toEqual([]);
});

test.runIf(isPossible)(
  'a later server that requires isolation ends one with the machine’s network',
  async () => {
    await bench({ isolation: 'preferred' }).start(ONE);
    const later = bench();
    await later.engine.recover(ADDRESSES);
    expect(later.announced).toEqual([]);
    expect(await pidsOf(dataDir)).toEqual([]);
  },
);

/** Names the only interface, and says that it has its address. */
const LOOPBACK = `; sed -n 's/:.*//p' /proc/net/dev | tr -d ' '; grep -q 127.0.0.1 /proc/net/fib_trie && echo up`;

/** Runs the script as the user who owns the checkout. */
async function confineAsUser(wrapper: readonly string[], { hasNetwork = false } = {}): Promise<string[]> {
  const [checkout, uid] = [await mkdtemp(join(place, 'checkout-')), 54_321];
  const state = join(checkout, 'data/runtimes/one');
  await chmod(place, 0o755);
  await chmod(checkout, 0o755);
  await mkdir(state, { recursive: true });
  await writeFile(join(checkout, 'data/master.key'), 'x');
  const script = await readFile(join(SERVER, 'confine-runtime.sh'));
  await writeFile(join(checkout, 'confine.sh'), script);
  spawnSync('chown', ['-R', `${uid}:${uid}`, checkout]);
  const tries = `ls ${checkout} ${checkout}/data; echo x >> ${checkout}/confine.sh; umount /usr; touch "$STATE_DIR/own"
    kill -9 ${process.pid}; [ $(ls -d /proc/[0-9]* | wc -l) -lt 6 ] && echo few${hasNetwork ? LOOPBACK : ''}`;
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const wire = hasNetwork ? ['--wire', state] : [];
  const confined = ['sh', join(checkout, 'confine.sh'), ...wire, 'sh', '-c', tries];
  const [program = '', ...args] = [...wrapper, ...user, ...confined];
  const { stdout } = spawnSync(program, args, {
    env: { PATH: process.env.PATH, ACP_DATA_DIR: join(checkout, 'data'), STATE_DIR: state },
    encoding: 'utf8',
  });
  expect((await stat(join(state, 'own'))).uid).toBe(uid);
  expect(await readFile(join(checkout, 'confine.sh'))).toEqual(script);
  return stdout.split(/\s+/).filter((word) => word && !word.endsWith(':'));
}

/** Switches the loopback interface on by other means, as a unit of systemd or a container leaves them. */
const HIDING_SYSFS = 'mount --bind /sys/kernel /sys/kernel && mount -o remount,bind,ro /sys/kernel';
const WITHOUT_IP = 'if ip=$(command -v ip); then mount --bind /bin/false "$(realpath "$ip")"; fi';

describe.runIf(isPossible && process.getuid?.() === 0)('a normal user', () => {
  test.each([
    ['', 'true'],
    [' where sysfs cannot be mounted', HIDING_SYSFS],
    [' where netlink is forbidden, too', `${HIDING_SYSFS} && ${WITHOUT_IP}`],
  ])('gives them a network of their own%s', async (_, hiding) => {
    const wrapper = ['unshare', '--mount', 'sh', '-c', `${hiding} && exec "$@"`, 'sh'];
    expect(await confineAsUser(wrapper, { hasNetwork: true })).toEqual([
      'data',
      'runtimes',
      'few',
      'lo',
      'up',
    ]);
  });

  test('can isolate runtimes', async () => {
    // `few` processes: the first, the runtime, and those of the listing.
    expect(await confineAsUser(['env'])).toEqual(['data', 'runtimes', 'few']);
  });

  test('can isolate them where parts of /proc are hidden, as in containers', async () => {
    const hiding = 'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec "$@"';
    const wrapper = ['unshare', '--mount', 'sh', '-c', hiding, 'sh'];
    expect(await confineAsUser(wrapper)).toEqual(['data', 'runtimes', 'few']);
  });
});

const usable = isPossible ? await Cgroups.open('/trial') : undefined;

describe.runIf(isPossible)('the limits of the tier', () => {
  const small = { ...specOf(ONE), memory_mib: 100, cpu_millis: 250 };

  test('end a runtime that allocates more memory', async () => {
    const made = bench();
    const address = await made.ensure(small);
    await expect(attempt(address, 'allocate', 300)).rejects.toThrow();
    const gone = { phase: 'gone', reason: 'out_of_memory', address: null };
    await vi.waitFor(() => expect(made.observed.get(ONE)).toMatchObject(gone), { timeout: 60_000 });
  });

  test('watch the memory where control groups are impossible', async () => {
    const none = await Cgroups.open(dataDir, { root: join(place, 'nowhere'), self: '/proc/self/cgroup' });
    expect(none).toMatchObject({ limitsMemory: false, limitsCpu: false });
    const open = vi.spyOn(Cgroups, 'open').mockResolvedValue(none);
    const made = bench();
    open.mockRestore();
    await made.engine.tryIsolation();
    expect(made.engine.isolation).toContain('missing: a writable memory cgroup');
    const address = await made.ensure(small);
    await attempt(address, 'allocate', 300).catch(() => {});
    await vi.waitFor(() => expect(made.reasons).toContain('out_of_memory'), { timeout: 60_000 });
  });

  test('need few open files to watch many adopted runtimes', async () => {
    const none = await Cgroups.open(dataDir, { root: join(place, 'nowhere'), self: '/proc/self/cgroup' });
    const open = vi.spyOn(Cgroups, 'open').mockResolvedValue(none);
    const [made, later] = [bench(), bench()];
    open.mockRestore();
    const ids = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all(ids.map((id) => made.start(id)));
    const before = readdirSync('/proc/self/fd').length;
    await later.engine.recover(ADDRESSES);
    const most = { files: 0 };
    for (const until = performance.now() + 3_000; performance.now() < until; await sleep(10))
      most.files = Math.max(most.files, readdirSync('/proc/self/fd').length);
    expect(most.files).toBeLessThan(before + 60);
    await Promise.all(ids.map((id) => later.stop(id)));
  });

  test('are those of a control group that a later server recognises', async () => {
    const groups = usable ?? expect.unreachable();
    if (!groups.limitsMemory) return;
    const made = bench();
    await made.ensure(small);
    const own = await Cgroups.open(dataDir);
    const pids = await pidsOf(dataDir);
    expect(await Promise.all(pids.map((pid) => own.limitsMemoryOf(ONE, pid)))).not.toContain(false);
    expect(await own.limitsMemoryOf(ONE, process.pid)).toBe(false);
    expect(await own.limitsMemoryOf(TWO, pids[0] ?? 0)).toBe(false);
  });

  test.runIf(usable?.limitsCpu)('bound the CPU', async () => {
    const address = await bench().ensure(small);
    await attempt(address, 'spin', 500);
    const { got } = await attempt(address, 'spin', 2000);
    expect(got).toBeLessThan(0.4);
  });

  test.runIf(usable?.limitsCpu)('yield the cores to the service', async () => {
    const groups = await Cgroups.open(dataDir);
    const directories = await groups.make(ONE, small);
    onTestFinished(() => groups.remove(ONE));
    const files = directories.flatMap((directory) => [
      { path: join(directory, 'cpu.shares'), usual: 1024 },
      { path: join(directory, 'cpu.weight'), usual: 100 },
    ]);
    const { path, usual } = files.find((file) => existsSync(file.path)) ?? { path: '', usual: 0 };
    expect(Number(await readFile(path, 'utf8'))).toBeLessThan(usual / 5);
  });
});

const isolationOf = (mode: 'required' | 'preferred' | 'none', warn: Log['warn'], isBuiltIn = false) =>
  new Isolation(COMMAND, { mode, dataDir, hidden: [], isBuiltIn, log: { ...silentLog, warn } });

/** A machine whose kernel makes no networks. */
async function allowNoNetworks(): Promise<void> {
  const directory = await mkdtemp(join(place, 'bin-'));
  const script = `#!/bin/sh
case " $* " in *' unshare --net '*) echo 'unshare: unshare failed: No space left on device' >&2; exit 1 ;; esac
PATH=${process.env.PATH}
exec unshare "$@"
`;
  await writeFile(join(directory, 'unshare'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${directory}:${process.env.PATH}`);
}

describe.runIf(isPossible)('where no network of its own can be had', () => {
  test('a runtime is refused if isolation is required, and the state names the network', async () => {
    await allowNoNetworks();
    const made = bench();
    await made.engine.tryIsolation();
    expect(made.engine.isolation).toMatch(/^missing: network: /);
    await expect(made.start(ONE)).rejects.toMatchObject({ reason: 'spec_rejected' });
  });

  test('the service’s own runtime has the machine’s if isolation is preferred', async () => {
    await allowNoNetworks();
    const warn = vi.fn<Log['warn']>();
    const preferred = isolationOf('preferred', warn, true);
    expect(await preferred.isPossible()).toBe(true);
    expect(preferred).toMatchObject({ hasNetwork: false, missing: expect.stringMatching(/^network: /) });
    expect(warn).toHaveBeenCalledOnce();
    vi.unstubAllEnvs();
    await preferred.isPossible();
    expect(preferred).toMatchObject({ hasNetwork: true, missing: undefined });
  });

  test('other programs keep the machine’s where isolation is preferred, which is no lack', async () => {
    const preferred = isolationOf('preferred', vi.fn<Log['warn']>());
    expect(await preferred.isPossible()).toBe(true);
    expect(preferred).toMatchObject({ hasNetwork: false, missing: undefined });
    const made = bench({ isolation: 'preferred' });
    const address = await made.start(ONE);
    expect(new URL(address).hash).toMatch(/^#\d+\.\d+$/);
    expect(await attempt(address, 'environment')).toMatchObject({ got: { ACP_NETWORK: 'machine' } });
  });
});

describe('without the means to isolate', () => {
  test('a runtime starts with one warning where isolation is preferred', async () => {
    const warn = vi.fn<Log['warn']>();
    const preferred = isolationOf('preferred', warn);
    vi.stubEnv('PATH', '/nowhere');
    for (const _ of [1, 2]) expect(await preferred.command([])).toEqual(COMMAND);
    expect(warn).toHaveBeenCalledOnce();
    expect(preferred.missing).toBeTruthy();
    vi.unstubAllEnvs();
    if (isPossible) expect(await preferred.command([])).toContain('sh');
  });

  test('a runtime is refused where isolation is required', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const made = bench();
    await made.engine.tryIsolation();
    expect(made.engine.isolation).toMatch(/^missing: /);
    await expect(made.start(ONE)).rejects.toMatchObject({ reason: 'spec_rejected' });
  });

  test('nothing is tried where isolation is off', async () => {
    const warn = vi.fn<Log['warn']>();
    expect(await isolationOf('none', warn).command([])).toEqual(COMMAND);
    const made = bench({ isolation: 'none' });
    expect(made.engine.isolation).toBe('off');
  });
});
