import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ProcessEngine, type ProcessEngineOptions } from '../../src/adapters/process-engine/engine.ts';
import type { Minted, Observed, RuntimeSpec } from '../../src/runtimes/engine.port.ts';
import { silentLog } from './log.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
export const TEST_RUNTIME = [process.execPath, join(import.meta.dirname, 'test-runtime.mjs')] as const;

/** Nobody calls them. */
export const ADDRESSES = { base_url: 'http://127.0.0.1:1', mtls_url: 'https://127.0.0.1:1' } as const;

/** A runtime as small as its environment. */
export const specOf = (instance_id: string, environment: Record<string, string> = {}): RuntimeSpec => ({
  instance_id,
  tenant_id: instance_id,
  generation: 1,
  cpu_millis: 500,
  memory_mib: 256,
  internet: false,
  hash: 'hash',
  environment: {
    CONTROL_PLANE_URL: ADDRESSES.base_url,
    CONTROL_PLANE_MTLS_URL: ADDRESSES.mtls_url,
    ...environment,
  },
});

const mintedOf = ({ environment }: RuntimeSpec): Minted => {
  const { ENROLLMENT_TOKEN = '', PROXY_KEY = '', MESSAGE_SECRET = '', LLM_API_KEY = '' } = environment;
  return { ENROLLMENT_TOKEN, PROXY_KEY, MESSAGE_SECRET, LLM_API_KEY };
};

export class EngineBench {
  /** New addresses and ends that nobody asked for here. */
  readonly announced: [string, string | null][] = [];
  readonly observed = new Map<string, Observed>();
  readonly reasons: Observed['reason'][] = [];
  readonly engine: ProcessEngine;
  readonly #requested = new Set<string>();
  readonly #addresses = new Map<string, string | null>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #closing = new AbortController();
  #failure: unknown;

  constructor(dataDir: string, settings: Partial<ProcessEngineOptions> = {}) {
    const warn = (fields: object) => {
      if ('err' in fields) this.#failure = fields.err;
    };
    this.engine = new ProcessEngine({
      command: TEST_RUNTIME,
      isolation: 'none',
      dataDir,
      // A quarter of a core has to do, beside other tests.
      startTimeoutMs: 120_000,
      log: { ...silentLog, warn },
      ...settings,
    });
    void this.#follow().catch(() => {});
  }

  start(instance_id: string, environment: Record<string, string> = {}): Promise<string> {
    return this.ensure(specOf(instance_id, environment));
  }

  async ensure(spec: RuntimeSpec): Promise<string> {
    const { instance_id } = spec;
    this.#requested.add(instance_id);
    const before = this.observed.get(instance_id);
    const isUp = before?.phase === 'up' ? before : undefined;
    const decided = isUp ? Promise.resolve(isUp) : this.#start(instance_id, before?.phase === 'starting');
    await this.engine.ensure(spec, async () => mintedOf(spec));
    const { address, reason } = await decided;
    this.#requested.delete(instance_id);
    if (address !== null) return address;
    throw reason ? this.#failure : new Error('It was ended');
  }

  async stop(instance_id: string): Promise<void> {
    this.#requested.add(instance_id);
    const gone = this.#next(instance_id, ({ phase }) => phase === 'gone');
    await this.engine.remove(instance_id);
    await gone;
  }

  find(instance_id: string): string | undefined {
    return this.observed.get(instance_id)?.address ?? undefined;
  }

  close(): Promise<void> {
    return this.engine.close().finally(() => this.#closing.abort());
  }

  /** Resolves with the outcome of a start; a former runtime may end before. */
  #start(instance_id: string, isStarting: boolean): Promise<Observed> {
    let hasBegun = isStarting;
    return this.#next(instance_id, ({ phase }) => {
      hasBegun ||= phase === 'starting';
      return phase === 'up' || (hasBegun && phase === 'gone');
    });
  }

  async #next(instance_id: string, isIt: (observed: Observed) => boolean): Promise<Observed> {
    for await (const [observed] of on(this.#changes, 'change') as AsyncIterable<[Observed]>) {
      if (observed.instance_id === instance_id && isIt(observed)) return observed;
    }
    return expect.unreachable();
  }

  async #follow(): Promise<void> {
    for await (const seen of this.engine.watch(this.#closing.signal)) {
      for (const observed of 'all' in seen ? seen.all : [seen]) this.#note(observed);
    }
  }

  #note(observed: Observed): void {
    const { instance_id, phase, address } = observed;
    this.observed.set(instance_id, observed);
    this.reasons.push(observed.reason);
    if (phase === 'up' || phase === 'gone') {
      const isNews = this.#addresses.get(instance_id) !== address;
      if (isNews && !this.#requested.has(instance_id)) this.announced.push([instance_id, address]);
      this.#addresses.set(instance_id, address);
    }
    this.#changes.emit('change', observed);
  }
}

export async function runtimesOf(dataDir: string): Promise<{ pid: number; [name: string]: unknown }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      const entries = text.split('\0').map((entry) => /^([^=]*)=(.*)$/s.exec(entry)?.slice(1) ?? []);
      return { ...Object.fromEntries(entries), pid: Number(pid) } as { pid: number; [name: string]: unknown };
    }),
  );
  return all.filter((environment) => environment.ACP_DATA_DIR === dataDir);
}

export async function pidsOf(dataDir: string): Promise<number[]> {
  return (await runtimesOf(dataDir)).map(({ pid }) => pid);
}

/** Fails unless there is exactly one process. */
export async function onlyPidOf(dataDir: string): Promise<number> {
  const [pid = 0, ...others] = await pidsOf(dataDir);
  expect(pid).not.toBe(0);
  expect(others).toEqual([]);
  return pid;
}

export function spawnLeft(dataDir: string, environment: Record<string, string>): ChildProcess {
  const [program, ...args] = TEST_RUNTIME;
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', ACP_DATA_DIR: dataDir, ...environment };
  return spawn(program, args, { env, stdio: 'ignore', detached: true });
}

/** Starts the runtimes of its arguments, prints their addresses, and closes at SIGTERM. */
const SERVER = `
import { ProcessEngine } from './out/adapters/process-engine/engine.js';
const [dataDir, command, ...specs] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const engine = new ProcessEngine({ dataDir, log, command: JSON.parse(command), isolation: 'none' });
for (const spec of specs.map((text) => JSON.parse(text))) void engine.ensure(spec, async () => ({}));
const watching = new AbortController();
process.once('SIGTERM', () => void engine.close().then(() => watching.abort()));
const addresses = new Map();
try {
  for await (const seen of engine.watch(watching.signal)) {
    for (const { instance_id, address } of seen.all ?? [seen]) {
      if (address) addresses.set(instance_id, address);
    }
    if (addresses.size === specs.length) {
      for (const spec of specs) console.log(addresses.get(JSON.parse(spec).instance_id));
      addresses.clear();
    }
  }
} catch {}
`;

/** Node 20 cannot run TypeScript, so this writes server.js into `directory`. */
export async function compileServer(directory: string): Promise<void> {
  const source = join(REPOSITORY, 'server/src');
  const config = {
    extends: join(REPOSITORY, 'server/tsconfig.json'),
    compilerOptions: {
      incremental: false,
      noCheck: true,
      tsBuildInfoFile: null,
      rootDir: source,
      outDir: join(directory, 'out'),
      typeRoots: [join(REPOSITORY, 'node_modules/@types')],
    },
    include: [],
    files: [join(source, 'adapters/process-engine/engine.ts')],
  };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'server.js'), SERVER);
  await symlink(join(REPOSITORY, 'node_modules'), join(directory, 'node_modules'));
  const compiler = join(REPOSITORY, 'node_modules/.bin/tsc');
  await promisify(execFile)(compiler, ['-p', join(directory, 'tsconfig.json')]);
}

export async function startAndEndServer(
  directory: string,
  dataDir: string,
  specs: readonly RuntimeSpec[],
  isReady: (printed: readonly string[]) => boolean | Promise<boolean>,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<{ printed: string[]; code: number | null }> {
  const args = [dataDir, JSON.stringify(TEST_RUNTIME), ...specs.map((spec) => JSON.stringify(spec))];
  const server = spawn(process.execPath, [join(directory, 'server.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const printed = () => text.split('\n').filter((line) => line !== '');
  await expect.poll(() => isReady(printed()), { interval: 20 }).toBe(true);
  server.kill(signal);
  const [code] = (await once(server, 'exit')) as [number | null];
  return { printed: printed(), code };
}
