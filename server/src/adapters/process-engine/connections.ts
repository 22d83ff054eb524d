import { once } from 'node:events';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { signalAfter } from '../../platform/signal-after.ts';
import { NotTheRuntime, RuntimePools } from '../runtime-pools.ts';
import { holderOf, isAcceptedBy } from './listener.ts';
import type { ProcessKey } from './proc.ts';

const CONNECT_TIMEOUT_MS = 10_000;

const pools = new RuntimePools((address) =>
  address.hash.startsWith('#/') ? openSocket(address) : openPort(address),
);

/**
 * For URLs of `runtimeUrl`; follows no redirect. It connects only at the socket that the runtime alone can make, or while the
 * kernel reports that the started runtime alone listens, because any local process may take a port. Rejects with
 * NotTheRuntime as the `cause`.
 */
export const fetchRuntime = pools.fetch;

/** O_PATH of open(2), which Node.js does not name: the file itself, which is not opened. */
const O_PATH = 0o10_000_000;

/**
 * A runtime with a network of its own listens at a socket in STATE_DIR, where no other runtime can make one. It may put a
 * link in its place, to a socket of somebody else, so what was looked at is what is connected with.
 */
async function openSocket({ hash }: URL): Promise<Socket> {
  const path = decodeURIComponent(hash.slice(1));
  const file = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(file).isSocket()) throw new NotTheRuntime();
    return await connected({ path: `/proc/self/fd/${file}` }, () => {});
  } finally {
    closeSync(file);
  }
}

/**
 * The looks after it make sure of the connection: it might have gone to somebody who took the port meanwhile, or who shares
 * it with a runtime that shares its port.
 */
async function openPort(address: URL): Promise<Socket> {
  const { port, runtime } = partsOf(address);
  requireHolder(port, runtime);
  return connected({ host: '127.0.0.1', port, noDelay: true }, async ({ localPort = 0 }) => {
    requireHolder(port, runtime);
    if (!(await isAcceptedBy(runtime, port, localPort))) throw new NotTheRuntime();
  });
}

function requireHolder(port: number, runtime: ProcessKey): void {
  const holder = holderOf(port, runtime);
  if (holder === 'nobody') throw Object.assign(new Error('Nobody listens'), { code: 'ECONNREFUSED' });
  if (holder === 'another') throw new NotTheRuntime();
}

async function connected(
  options: NetConnectOpts,
  check: (socket: Socket) => Promise<void> | void,
): Promise<Socket> {
  const socket = connect(options);
  // A reset during the check would end the service. Afterwards undici listens.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: signalAfter(CONNECT_TIMEOUT_MS) });
    await check(socket);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The parts of a machineNetwork's address. Throws for one that names no process, as those of earlier versions. */
function partsOf({ port, hash }: URL): { port: number; runtime: ProcessKey } {
  const [, pid, startTime = ''] = /^#(\d+)\.(\d+)$/.exec(hash) ?? [];
  if (pid === undefined) throw new Error('The address names no process');
  return { port: Number(port), runtime: { pid: Number(pid), startTime } };
}
