import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Minted, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { LaunchFailure } from './failure.ts';
import type { Limit } from './limits.ts';
import { openLog } from './log-file.ts';
import { markersOf } from './marked.ts';
import type { Network } from './network.ts';
import { type ProcessIdentity, readStat } from './proc.ts';
import { redact } from './redact.ts';
import type { End, RuntimeProcess } from './runtime-process.ts';
import { endProcess, sendSignal } from './signals.ts';
import { makeStateDirectory } from './state-directory.ts';

/** A runtime inherits nothing else: the server's environment may hold MASTER_KEY and DATABASE_URL. */
const INHERITED = ['PATH', 'HOME', 'LANG'] as const;

export const inherited = (): Record<string, string | undefined> =>
  Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));

export interface SpawnOptions {
  spec: RuntimeSpec;
  minted: Minted;
  /** The real path of DATA_DIR. */
  dataDir: string;
  /** The program and its arguments. */
  command: readonly string[];
  limit: Limit;
  network: Network;
  /** See ProcessEngineOptions. */
  graceMs?: number | undefined;
}

export type SpawnedRuntime = Required<RuntimeProcess>;

/** Does not wait until the process listens. Rejects when the program does not exist. */
export async function spawnRuntime(options: SpawnOptions): Promise<SpawnedRuntime> {
  try {
    return await spawnInNetwork(options);
  } catch (error) {
    options.network.end();
    throw error;
  }
}

async function spawnInNetwork(options: SpawnOptions): Promise<SpawnedRuntime> {
  const { spec, dataDir, limit, network } = options;
  const environment = { ...spec.environment, ...options.minted };
  refuseNul(spec.instance_id, environment);
  const stateDir = await makeStateDirectory(dataDir, spec.instance_id);
  const log = await openLog(dataDir, spec.instance_id);
  try {
    const child = spawnChild(options, { stateDir, logFd: log.handle.fd });
    if (child.pid === undefined) await once(child, 'spawn');
    const identity = identify(child);
    limit.follow(identity);
    const ended = endOf(child, identity, options);
    return {
      pid: identity.pid,
      address: network.addressOf(identity),
      ended,
      end: () => endProcess(identity, ended, options.graceMs),
      lastLine: () => log.lastLine((line) => redact(line, environment)),
    };
  } finally {
    await log.handle.close();
  }
}

async function endOf(
  child: ChildProcess,
  identity: ProcessIdentity,
  { limit, network }: Pick<SpawnOptions, 'limit' | 'network'>,
): Promise<End> {
  const [exit_code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  sendSignal(identity, 'SIGKILL');
  network.end();
  const reason = (await limit.end()) ? 'out_of_memory' : 'crashed';
  return { exit_code, how: signal ?? `code ${exit_code}`, reason };
}

function spawnChild(
  { spec, minted, dataDir, command, network }: SpawnOptions,
  { stateDir, logFd }: { stateDir: string; logFd: number },
): ChildProcess {
  const [program = '', ...args] = command;
  return spawn(program, args, {
    cwd: '/',
    env: {
      ...inherited(),
      ...spec.environment,
      ...minted,
      ...network.environment,
      INSTANCE_ID: spec.instance_id,
      STATE_DIR: stateDir,
      ...markersOf(dataDir, spec, network.kind),
    },
    stdio: ['ignore', logFd, logFd],
    // A process group of its own, so Ctrl-C reaches only the service, which decides about its runtimes.
    detached: true,
  });
}

/** Node.js refuses NUL, too, but quotes the value in its error. */
function refuseNul(instance_id: string, environment: RuntimeSpec['environment']): void {
  const [name] = Object.entries(environment).find(([, value]) => value.includes('\0')) ?? [];
  if (name === undefined) return;
  throw new LaunchFailure('spec_rejected', `${name} of instance ${instance_id} must not contain NUL`);
}

/** Call it in the same tick as spawn: until the event loop turns, even a dead child keeps its pid. */
function identify(child: ChildProcess): ProcessIdentity {
  const stat = child.pid === undefined ? undefined : readStat(child.pid);
  if (stat === undefined) {
    child.kill('SIGKILL');
    throw new Error('Runtimes cannot be watched: there is no /proc here');
  }
  return stat;
}
