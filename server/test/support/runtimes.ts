import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ProcessEngine } from '../../src/adapters/process-engine/engine.ts';
import type { RuntimeSpec } from '../../src/instances/engine.port.ts';
import { silentLog } from './log.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
export const TEST_RUNTIME = [process.execPath, join(import.meta.dirname, 'test-runtime.mjs')] as const;

/** An engine with fakes for its callbacks. */
export class EngineBench {
  /** The environment of each instance that should run. */
  readonly wanted = new Map<string, Record<string, string>>();
  readonly announced: [string, string | null][] = [];
  readonly engine: ProcessEngine;
  /** Set to make the next announcement fail. */
  failure: Error | undefined;

  constructor(
    dataDir: string,
    command: readonly string[] = TEST_RUNTIME,
    settings: { graceMs?: number } = {},
  ) {
    this.engine = new ProcessEngine({
      ...settings,
      dataDir,
      log: silentLog,
      command,
      specFor: async (instance_id) => this.specOf(instance_id),
      onAddress: async (instance_id, address) => {
        const { failure } = this;
        this.failure = undefined;
        if (failure) throw failure;
        this.announced.push([instance_id, address]);
      },
    });
  }

  /** Makes the instance wanted, and starts it. */
  start(instance_id: string, environment: Record<string, string> = {}): Promise<string> {
    this.wanted.set(instance_id, environment);
    return this.engine.start({ instance_id, environment });
  }

  specOf(instance_id: string): RuntimeSpec | undefined {
    const environment = this.wanted.get(instance_id);
    return environment && { instance_id, environment };
  }
}

/** The environments and pids of live processes marked with a data directory. */
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

/** The pid of the only process; fails when there are none or several. */
export async function onlyPidOf(dataDir: string): Promise<number> {
  const [pid = 0, ...others] = await pidsOf(dataDir);
  expect(pid).not.toBe(0);
  expect(others).toEqual([]);
  return pid;
}

/** Starts a runtime as if a server had left it. */
export function spawnLeft(dataDir: string, environment: Record<string, string>): ChildProcess {
  const [program, ...args] = TEST_RUNTIME;
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', ACP_DATA_DIR: dataDir, ...environment };
  return spawn(program, args, { env, stdio: 'ignore', detached: true });
}

/** Runs an engine: starts the runtimes of its arguments, prints their addresses, and closes at SIGTERM. */
const SERVER = `
import { ProcessEngine } from './out/adapters/process-engine/engine.js';
const [dataDir, command, ...specs] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const engine = new ProcessEngine({
  dataDir, log, command: JSON.parse(command), specFor: async () => undefined, onAddress: async () => {},
});
for (const spec of specs.map((text) => JSON.parse(text))) {
  engine.start(spec).then((address) => console.log(address), () => {});
}
process.once('SIGTERM', () => void engine.close());
`;

/** Compiles the engine, because Node 20 cannot run TypeScript; `directory` then holds server.js. */
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

/** Starts runtimes in a separate server, waits for `isReady` and signals the server. Resolves when it has exited. */
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
