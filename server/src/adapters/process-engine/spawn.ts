import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RuntimeSpec } from '../../instances/engine.port.ts';
import { openLog } from './log-file.ts';
import { MARKER } from './marked.ts';
import { type ProcessIdentity, readStat } from './proc.ts';
import { redact } from './redact.ts';
import { addressOf, type RuntimeProcess } from './runtime-process.ts';
import { endProcess, sendSignal } from './signals.ts';
import { makeStateDirectory } from './state-directory.ts';

/** The only variables a runtime inherits: the server's environment may hold MASTER_KEY and DATABASE_URL. */
const INHERITED = ['PATH', 'HOME', 'LANG'] as const;

export const inherited = (): Record<string, string | undefined> =>
  Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));

export interface SpawnOptions {
  spec: RuntimeSpec;
  /** The real path of DATA_DIR. */
  dataDir: string;
  /** The program and its arguments. */
  command: readonly string[];
  /** See ProcessEngineOptions. */
  graceMs?: number | undefined;
}

export interface SpawnedRuntime extends RuntimeProcess {
  /** The last line of its log, with the values of its environment redacted. */
  lastLine(): Promise<string>;
}

/** Starts one process that should listen on the port; it may exit at once. Rejects when the program does not exist. */
export async function spawnRuntime(options: SpawnOptions, port: number): Promise<SpawnedRuntime> {
  const { spec, dataDir } = options;
  refuseNul(spec);
  const stateDir = await makeStateDirectory(dataDir, spec.instance_id);
  const log = await openLog(dataDir, spec.instance_id);
  try {
    const child = spawnChild(options, { port, stateDir, logFd: log.handle.fd });
    if (child.pid === undefined) await once(child, 'spawn');
    const identity = identify(child);
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => {
        sendSignal(identity, 'SIGKILL');
        resolve(signal ?? `code ${code}`);
      });
    });
    return {
      pid: identity.pid,
      port,
      address: addressOf(port),
      ended,
      end: () => endProcess(identity, ended, options.graceMs),
      lastLine: () => log.lastLine((line) => redact(line, spec.environment)),
    };
  } finally {
    await log.handle.close();
  }
}

function spawnChild(
  { spec, dataDir, command }: SpawnOptions,
  { port, stateDir, logFd }: { port: number; stateDir: string; logFd: number },
): ChildProcess {
  const [program = '', ...args] = command;
  return spawn(program, args, {
    cwd: '/',
    env: {
      ...inherited(),
      ...spec.environment,
      HOST: '127.0.0.1',
      PORT: String(port),
      INSTANCE_ID: spec.instance_id,
      STATE_DIR: stateDir,
      [MARKER]: dataDir,
    },
    stdio: ['ignore', logFd, logFd],
    // Its own process group: Ctrl-C must reach only the service, which decides about its runtimes.
    detached: true,
  });
}

/** Node.js refuses NUL too, but its error quotes the value. */
function refuseNul({ instance_id, environment }: RuntimeSpec): void {
  const [name] = Object.entries(environment).find(([, value]) => value.includes('\0')) ?? [];
  if (name !== undefined) throw new Error(`${name} of instance ${instance_id} must not contain NUL`);
}

/** Call it synchronously after spawn: until the event loop turns, even a dead child keeps its pid. */
function identify(child: ChildProcess): ProcessIdentity {
  const stat = child.pid === undefined ? undefined : readStat(child.pid);
  if (stat === undefined) {
    child.kill('SIGKILL');
    throw new Error('Runtimes cannot be watched: there is no /proc here');
  }
  return stat;
}
