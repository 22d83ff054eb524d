import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
import { launch } from '../../src/adapters/process-engine/launch.ts';
import { noLimit } from '../../src/adapters/process-engine/limits.ts';
import { findMarked } from '../../src/adapters/process-engine/marked.ts';
import { findMachineNetwork } from '../../src/adapters/process-engine/network.ts';
import { isAlive, parseStat, readStat } from '../../src/adapters/process-engine/proc.ts';
import { redact } from '../../src/adapters/process-engine/redact.ts';
import { sendSignal } from '../../src/adapters/process-engine/signals.ts';
import {
  ADDRESSES,
  compileServer,
  EngineBench,
  onlyPidOf,
  pidsOf,
  runtimesOf,
  spawnLeft,
  specOf,
  startAndEndServer,
  TEST_RUNTIME,
} from '../support/runtimes.ts';

const ONE = '00000000-0000-4000-8000-000000000001';
const TWO = '00000000-0000-4000-8000-000000000002';
const THREE = '00000000-0000-4000-8000-000000000003';
const FOUR = '00000000-0000-4000-8000-000000000004';

let place: string;
let dataDir: string;
const benches: EngineBench[] = [];

beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'process-engine-')));
  await compileServer(join(place, 'compiled'));
});

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(place, 'data-')));
});

afterEach(async () => {
  await Promise.all(benches.splice(0).map((made) => made.close()));
  const left = await pidsOf(dataDir);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  expect(left, 'no process is left').toEqual([]);
});

afterAll(async () => {
  await rm(place, { recursive: true, force: true });
});

function launchOptions(command: readonly string[], environment: Record<string, string> = {}) {
  const minted = { ENROLLMENT_TOKEN: '', PROXY_KEY: '', MESSAGE_SECRET: '', LLM_API_KEY: 'llm-key' };
  const prepare = async () => ({ command, limit: noLimit, network: await findMachineNetwork() });
  const { signal } = new AbortController();
  return { spec: specOf(ONE, environment), minted, dataDir, prepare, signal };
}

function bench(command: readonly string[] = TEST_RUNTIME, settings: { graceMs?: number } = {}): EngineBench {
  const made = new EngineBench(dataDir, { command, ...settings });
  benches.push(made);
  return made;
}

async function get(address: string, path: string): Promise<Record<string, unknown>> {
  return (await fetch(new URL(path, address))).json() as Promise<Record<string, unknown>>;
}

/** As if the time of a launch were over. */
function letTimePass(ms: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => clock.mockRestore());
}

async function eventually(assertion: () => unknown): Promise<void> {
  await vi.waitFor(assertion, { timeout: 60_000, interval: 20 });
}

/** Starts runtimes in a server that is then killed. */
async function leave(
  ...runtimes: { instance_id: string; environment: Record<string, string> }[]
): Promise<string[]> {
  const specs = runtimes.map(({ instance_id, environment }) => specOf(instance_id, environment));
  const compiled = join(place, 'compiled');
  const { printed } = await startAndEndServer(
    compiled,
    dataDir,
    specs,
    (printed) => printed.length === specs.length,
  );
  return printed;
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'it did not reject',
    (error: Error) => `${error.message}${JSON.stringify(error)}${String(error.cause)}`,
  );
}

describe('start', () => {
  test('gives a runtime its environment and nothing of the server', async () => {
    vi.stubEnv('MASTER_KEY', 'the-master-key');
    vi.stubEnv('NODE_OPTIONS', '--no-deprecation');
    const address = await bench().start(ONE, { PROXY_KEY: 'k', HOST: '0.0.0.0', INSTANCE_ID: TWO });
    vi.unstubAllEnvs();
    const leader = readStat(await onlyPidOf(dataDir));
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+#/);
    expect(new URL(address).hash).toBe(`#${leader?.pid}.${leader?.startTime}`);
    const environment = await get(address, '/environment');
    expect(environment).toMatchObject({
      INSTANCE_ID: ONE,
      PROXY_KEY: 'k',
      HOST: '127.0.0.1',
      PORT: new URL(address).port,
      ACP_DATA_DIR: dataDir,
      STATE_DIR: join(dataDir, 'runtimes', ONE),
      PATH: process.env.PATH,
    });
    expect(environment).not.toHaveProperty('MASTER_KEY');
    expect(environment).not.toHaveProperty('NODE_OPTIONS');
    const stat = readStat(await onlyPidOf(dataDir));
    expect(stat?.group).toBe(stat?.pid);
  });

  test('twenty times at once and once more is one process', async () => {
    const made = bench();
    const addresses = await Promise.all(Array.from({ length: 20 }, () => made.start(ONE)));
    expect(new Set([...addresses, await made.start(ONE), made.find(ONE)]).size).toBe(1);
    await onlyPidOf(dataDir);
  });

  test('of two instances is two processes', async () => {
    const made = bench();
    const [one, two] = await Promise.all([made.start(ONE), made.start(TWO)]);
    expect((await get(one, '/health')).instance_id).toBe(ONE);
    expect((await get(two, '/health')).instance_id).toBe(TWO);
  });

  test('that fails reports the last log line without secrets, and leaves nothing running', async () => {
    const made = bench(['sh', '-c', 'echo "cannot use $PROXY_KEY" >&2; echo "    at x:1:1" >&2; exit 3']);
    expect(await messageOf(made.start(ONE, { PROXY_KEY: 'proxy-key-1' }))).toBe(
      `The runtime of instance ${ONE} ended at its start (code 3): cannot use [redacted]{"reason":"crashed","lastLine":"cannot use [redacted]"}undefined`,
    );
    expect(made.find(ONE)).toBeUndefined();
    // The message of an uncaught error stands above its stack.
    expect(await messageOf(bench().start(TWO, { CRASH: 'the text' }))).toBe(
      `The runtime of instance ${TWO} ended at its start (code 1): Error: [redacted]{"reason":"crashed","lastLine":"Error: [redacted]"}undefined`,
    );
  });

  test('rejects a missing program, NUL in a variable and a malformed id', async () => {
    expect(await messageOf(bench(['/no/such/program']).start(ONE))).toContain('ENOENT');
    const message = await messageOf(bench().start(ONE, { PROXY_KEY: 'proxy\0key' }));
    expect(message).toBe(
      `PROXY_KEY of instance ${ONE} must not contain NUL{"reason":"spec_rejected","lastLine":""}undefined`,
    );
    await expect(bench().start('../escape')).rejects.toThrow('An instance id must consist of');
  });

  test('that ends and then has no time left is one that ended', async () => {
    const again = 'test -e "$0" && touch "$0-again" && exec sleep 60';
    const script = `${again}; touch "$0"; echo "no module named requests"; exit 1`;
    const options = launchOptions(['sh', '-c', script, join(dataDir, 'first')]);
    const message = messageOf(launch({ ...options, timeoutMs: 60_000 }));
    await eventually(() => stat(join(dataDir, 'first-again')));
    letTimePass(60_000);
    expect(await message).toContain(
      'ended at its start (code 1): no module named requests{"reason":"crashed"',
    );
  });

  test('tries again when the runtime ends at its start', async () => {
    const script = 'test -e "$0" || { touch "$0"; exit 1; }; exec "$@"';
    const made = bench(['sh', '-c', script, join(dataDir, 'was-here'), ...TEST_RUNTIME]);
    expect((await get(await made.start(ONE), '/health')).instance_id).toBe(ONE);
  });

  test('gives up on a runtime that does not answer in time', async () => {
    await expect(
      launch({ ...launchOptions(TEST_RUNTIME, { SILENT: '1' }), timeoutMs: 1_000 }),
    ).rejects.toThrow(`The runtime of instance ${ONE} did not answer within 1 s`);
    expect(await pidsOf(dataDir)).toEqual([]);
  });

  test('does not succeed when another process answers at its port', async () => {
    // The process that takes the port is not a descendant of the runtime, which itself listens nowhere.
    const steal = '(setsid "$0" "$1" >/dev/null 2>&1 &); exec sleep 1000';
    const command = ['sh', '-c', steal, ...TEST_RUNTIME];
    const launched = launch({ ...launchOptions(command), timeoutMs: 3_000 });
    await expect(launched).rejects.toThrow(`The runtime of instance ${ONE} did not answer within 3 s`);
    const [thief, ...others] = await runtimesOf(dataDir);
    expect(others).toEqual([]);
    await eventually(async () =>
      expect(await get(`http://127.0.0.1:${String(thief?.PORT)}`, '/health')).toEqual({
        status: 'ok',
        instance_id: ONE,
      }),
    );
    process.kill(await onlyPidOf(dataDir), 'SIGKILL');
    await eventually(async () => expect(await pidsOf(dataDir)).toEqual([]));
  });

  test('gives up on a runtime whose health answer has no instance_id', async () => {
    const asked = join(dataDir, 'asked');
    const serve = `http.createServer((_, response) => {
      fs.writeFileSync(${JSON.stringify(asked)}, '');
      response.end('{}');
    }).listen(process.env.PORT, '127.0.0.1')`;
    const launched = launch({ ...launchOptions([process.execPath, '-e', serve]), timeoutMs: 60_000 });
    const refused = expect(launched).rejects.toThrow(
      'did not name its instance_id in the answer to GET /health',
    );
    await eventually(() => stat(asked));
    letTimePass(60_000);
    await refused;
  });

  test('is cancelled by stop and by close', async () => {
    const made = bench();
    const silent = messageOf(made.start(ONE, { SILENT: '1' }));
    await eventually(async () => expect(await pidsOf(dataDir)).toHaveLength(1));
    await made.stop(ONE);
    expect(await silent).toContain('It was ended');
    const other = messageOf(made.start(TWO, { SILENT: '1' }));
    await eventually(async () => expect(await pidsOf(dataDir)).toHaveLength(1));
    await made.close();
    expect(await other).toContain('It was ended');
    expect(await pidsOf(dataDir)).toEqual([]);
    await expect(made.start(ONE)).rejects.toThrow('closed');
  });

  test('logs the output to a private file, rotated over 5 MiB', async () => {
    const path = join(dataDir, 'runtimes', `${ONE}.log`);
    await mkdir(join(dataDir, 'runtimes'), { mode: 0o700 });
    await writeFile(path, 'x'.repeat(5 * 1024 * 1024 + 1), { mode: 0o600 });
    await bench(['sh', '-c', 'echo out; echo err >&2; exit 1'])
      .start(ONE)
      .catch(() => {});
    expect(await readFile(path, 'utf8')).toBe('out\nerr\n'.repeat(3));
    expect((await stat(`${path}.1`)).size).toBe(5 * 1024 * 1024 + 1);
    await bench().start(TWO);
    expect((await stat(join(dataDir, 'runtimes'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'runtimes', `${TWO}.log`))).mode & 0o777).toBe(0o600);
  });
});

const MiB = 1024 * 1024;
const logOfOne = () => join(dataDir, 'runtimes', `${ONE}.log`);

async function expectBounds(address: string): Promise<void> {
  for (let count = 0; count < 6; count++) await get(address, '/babble');
  await eventually(async () => expect((await stat(logOfOne())).size).toBeLessThan(5 * MiB));
  const { size } = await stat(logOfOne());
  expect((await stat(`${logOfOne()}.1`)).size).toBe(5 * MiB);
  await get(address, '/babble');
  expect((await stat(logOfOne())).size).toBe(size + MiB);
}

describe('the log of a noisy runtime', () => {
  test('is truncated while it runs', async () => {
    await expectBounds(await bench().start(ONE));
  });

  test('is truncated after its adoption', async () => {
    const [address = ''] = await leave({ instance_id: ONE, environment: {} });
    const made = bench();
    await made.engine.recover(ADDRESSES);
    expect(made.find(ONE)).toBe(address);
    await expectBounds(address);
  });
});

const kept = () => join(dataDir, 'runtimes', ONE, 'identity.json');

describe('the state of a runtime', () => {
  test('is private, and survives its death, close and the next start', async () => {
    const made = bench();
    await made.start(ONE);
    expect((await stat(dirname(kept()))).mode & 0o777).toBe(0o700);
    await writeFile(kept(), 'kept');
    process.kill(await onlyPidOf(dataDir), 'SIGKILL');
    await eventually(() => expect(made.find(ONE)).toBeUndefined());
    await made.start(ONE);
    await made.close();
    await bench().start(ONE);
    expect(await readFile(kept(), 'utf8')).toBe('kept');
  });

  test('is deleted by a stop and created again by the next start', async () => {
    const made = bench();
    await made.start(ONE);
    await writeFile(kept(), 'kept');
    await made.stop(ONE);
    await expect(stat(dirname(kept()))).rejects.toThrow('ENOENT');
    await mkdir(dirname(kept()));
    await writeFile(kept(), 'kept');
    // A start right after a stop has its directory.
    const [, address] = await Promise.all([made.stop(ONE), made.start(ONE)]);
    expect(await get(address, '/health')).toMatchObject({ instance_id: ONE });
    await expect(stat(kept())).rejects.toThrow('ENOENT');
    expect((await stat(dirname(kept()))).isDirectory()).toBe(true);
    await expect(made.engine.remove('../escape')).rejects.toThrow('An instance id must consist of');
  });
});

describe('a runtime that dies', () => {
  test('is gone, with its exit code, until the next ensure', async () => {
    const made = bench();
    const address = await made.start(ONE, { PROXY_KEY: 'old' });
    const pid = await onlyPidOf(dataDir);
    await get(address, '/crash').catch(() => {});
    const gone = { phase: 'gone', reason: 'crashed', address: null, restarts: 0 };
    await eventually(() => expect(made.observed.get(ONE)).toMatchObject({ ...gone, exit_code: 1 }));
    expect(made.announced).toEqual([[ONE, null]]);
    const next = await made.start(ONE, { PROXY_KEY: 'new' });
    expect((await get(next, '/environment')).PROXY_KEY).toBe('new');
    const other = await onlyPidOf(dataDir);
    expect(other).not.toBe(pid);
    process.kill(other, 'SIGKILL');
    await eventually(() => expect(made.observed.get(ONE)).toMatchObject({ ...gone, exit_code: null }));
    expect(await pidsOf(dataDir)).toEqual([]);
  });
});

test('a runtime that ends after it was up is gone with its last line, of which a secret is taken', async () => {
  const script = '"$@"; echo "the token s3cr3t is refused"; exit 1';
  const made = new EngineBench(dataDir, {
    command: ['sh', '-c', script, 'sh', ...TEST_RUNTIME],
    clean: async (_id, line) => line.replace('s3cr3t', '[secret]'),
  });
  benches.push(made);
  await get(await made.start(ONE), '/crash').catch(() => {});
  await eventually(() =>
    expect(made.observed.get(ONE)).toMatchObject({
      phase: 'gone',
      last_line: 'the token [secret] is refused',
    }),
  );
});

describe('stop', () => {
  test('ends a runtime, and does nothing when none runs', async () => {
    const made = bench();
    await made.start(ONE);
    await Promise.all([made.stop(ONE), made.stop(ONE), made.stop(TWO)]);
    expect(await pidsOf(dataDir)).toEqual([]);
    expect(made.find(ONE)).toBeUndefined();
    const address = await made.start(ONE);
    expect((await get(address, '/health')).instance_id).toBe(ONE);
  });

  test('kills the process group of the runtime', async () => {
    const made = bench();
    await made.start(ONE, { SIDECAR: '1' });
    await eventually(async () => expect(await pidsOf(dataDir)).toHaveLength(2));
    await made.stop(ONE);
    await eventually(async () => expect(await pidsOf(dataDir)).toEqual([]));
  });

  test('of all runtimes by close lets the server exit', async () => {
    const specs = [ONE, TWO].map((instance_id) => specOf(instance_id));
    const killOne = async (printed: readonly string[]) => {
      if (printed.length < specs.length) return false;
      const [one] = await runtimesOf(dataDir);
      // The engine closes with one runtime already gone.
      if (one) process.kill(one.pid, 'SIGKILL');
      return true;
    };
    const { code } = await startAndEndServer(join(place, 'compiled'), dataDir, specs, killOne, 'SIGTERM');
    expect(code).toBe(0);
    expect(await pidsOf(dataDir)).toEqual([]);
  });

  test('sends SIGKILL after 6 s, as close does, to all at the same time', async () => {
    const made = bench();
    await Promise.all([
      made.start(ONE, { STUBBORN: '1' }),
      made.start(TWO, { STUBBORN: '1' }),
      made.start(THREE),
    ]);
    const before = performance.now();
    const sent = vi.spyOn(process, 'kill');
    onTestFinished(() => sent.mockRestore());
    const stopped = made.stop(ONE);
    await Promise.all([made.close(), made.close(), stopped]);
    expect(performance.now() - before).toBeGreaterThan(5_900);
    // All three get SIGTERM before the first wait ends.
    expect(sent.mock.calls.map(([, signal]) => signal).slice(0, 3)).toEqual(Array(3).fill('SIGTERM'));
    expect(await pidsOf(dataDir)).toEqual([]);
  });
});

describe('recover, after a server was killed', () => {
  const spec = { instance_id: ONE, environment: { PROXY_KEY: 'k' } };

  test('adopts its runtime, watches it and ends it', async () => {
    const [address] = await leave(spec);
    const pid = await onlyPidOf(dataDir);
    const made = bench();
    await made.engine.recover(ADDRESSES);
    expect(made.announced).toEqual([[ONE, address]]);
    expect(made.find(ONE)).toBe(address);
    expect(await made.ensure(specOf(ONE, spec.environment))).toBe(address);
    expect(await onlyPidOf(dataDir)).toBe(pid);
    process.kill(pid, 'SIGKILL');
    await eventually(() =>
      expect(made.observed.get(ONE)).toMatchObject({ phase: 'gone', reason: 'crashed', exit_code: null }),
    );
    await made.start(ONE);
    await made.stop(ONE);
    expect(await pidsOf(dataDir)).toEqual([]);
  });

  test('stops adopted runtimes that ignore SIGTERM or have a sidecar', async () => {
    await leave(
      { instance_id: ONE, environment: { STUBBORN: '1' } },
      { instance_id: TWO, environment: { SIDECAR: '1' } },
    );
    await eventually(async () => expect(await pidsOf(dataDir)).toHaveLength(3));
    const made = bench(TEST_RUNTIME, { graceMs: 300 });
    await made.engine.recover(ADDRESSES);
    expect(await pidsOf(dataDir)).toHaveLength(3);
    await Promise.all([made.stop(ONE), made.stop(TWO)]);
    await eventually(async () => expect(await pidsOf(dataDir)).toEqual([]));
  });

  test('ends runtimes that are half started, unhealthy or know another server, but keeps their state', async () => {
    await mkdir(dirname(kept()), { recursive: true });
    await writeFile(kept(), 'kept');
    const compiled = join(place, 'compiled');
    const isThere = async () => (await pidsOf(dataDir)).length === 1;
    await startAndEndServer(compiled, dataDir, [specOf(ONE, { SILENT: '1' })], isThere);
    await leave(
      { instance_id: TWO, environment: { UNHEALTHY: '1' } },
      { instance_id: THREE, environment: { CONTROL_PLANE_URL: 'http://127.0.0.1:2' } },
      { instance_id: FOUR, environment: { CONTROL_PLANE_MTLS_URL: 'https://127.0.0.1:2' } },
    );
    const made = bench();
    await made.engine.recover(ADDRESSES);
    expect(await pidsOf(dataDir)).toEqual([]);
    expect(made.announced).toEqual([]);
    expect(await readFile(kept(), 'utf8')).toBe('kept');
  });

  test('ends both runtimes of one instance, but none of another data directory', async () => {
    await leave(spec);
    const elsewhere = spawnLeft(`${dataDir}/other`, { INSTANCE_ID: ONE, PORT: '0' });
    onTestFinished(() => void elsewhere.kill('SIGKILL'));
    spawnLeft(dataDir, { INSTANCE_ID: ONE, PORT: '0' });
    await eventually(async () => expect(await pidsOf(dataDir)).toHaveLength(2));
    const made = bench();
    await made.engine.recover(ADDRESSES);
    expect(await pidsOf(dataDir)).toEqual([]);
    expect(made.announced).toEqual([]);
    expect([elsewhere.exitCode, elsewhere.signalCode]).toEqual([null, null]);
  });
});

describe('a reused pid', () => {
  test('is detected by the start time', async () => {
    const child = spawnLeft(dataDir, { INSTANCE_ID: ONE, PORT: '0' });
    await eventually(async () => expect(await findMarked(dataDir)).toHaveLength(1));
    const [found] = await findMarked(dataDir);
    if (!found) throw new Error('It is not found');
    const earlier = { ...found, startTime: String(Number(found.startTime) - 1) };
    expect([isAlive(found), isAlive(earlier)]).toEqual([true, false]);
    sendSignal(earlier, 'SIGKILL');
    expect(isAlive(found)).toBe(true);
    sendSignal(found, 'SIGKILL');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(isAlive(found)).toBe(false);
  });

  test('is not hidden by a misleading command in the stat line', () => {
    const after = `7 7 7 0 -1 4194304 ${'0 '.repeat(9)}20 0 1 0 265456 3133440`;
    expect(parseStat(`41 (a) Z 1 (b)) S 1 ${after}`)).toMatchObject({ pid: 41, group: 7, isZombie: false });
    expect(parseStat(`41 (a b) Z 1 41 41 0 -1 4194304 ${'0 '.repeat(8)}20 0 1 0 265456 3133440`)).toEqual({
      pid: 41,
      parent: 1,
      group: 41,
      startTime: '265456',
      isZombie: true,
    });
  });
});

test('redaction replaces environment values in any encoding', () => {
  const environment = {
    PROXY_KEY: 'key/1',
    LONGER: 'key/12',
    ON: '1',
    SECRETS: '{"c":[{"access_token":"tok\\"en"}]}',
  };
  const line =
    'a key/12, b key/1, c key%2F1, d tok"en, e tok\\"en, f {"c":[{"access_token":"tok\\"en"}]}, g 1';
  const struck = '[redacted]';
  expect(redact(line, environment)).toBe(
    `a ${struck}, b ${struck}, c ${struck}, d ${struck}, e ${struck}, f ${struck}, g 1`,
  );
});
