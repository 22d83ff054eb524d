import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { isAlive, type ProcessKey, processTreeOf } from './proc.ts';

const LISTENING = '0A';
/** Listeners at these addresses accept connections to 127.0.0.1 (format of proc(5)). */
const IPV4 = new Set(['0100007F', '00000000']);
const IPV6 = new Set([
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
  '0000000000000000FFFF000000000000',
]);
/** Small, because the kernel searches its whole table to fill a read, which takes milliseconds. */
const CHUNK_BYTES = 1024;
/** Bounds the search. A runtime with more open files counts as not listening. */
const MAX_FILES = 10_000;

/** Only the runtime listens at this port. */
interface HeldPort {
  /** False once the runtime has closed a socket or ended, because another process may now have the port. */
  isHeld(): boolean;
}

/** Asks the kernel if only the runtime and its descendants listen at the port of 127.0.0.1, or another process. */
export function listenerAt(port: number, runtime: ProcessKey): HeldPort | 'another' | 'nobody' {
  let sockets = listenersIn('/proc/net/tcp', port, IPV4);
  // The kernel uses an IPv6 listener only if there is none for IPv4.
  if (sockets.length === 0) sockets = listenersIn('/proc/net/tcp6', port, IPV6);
  if (sockets.length === 0) return 'nobody';
  const files = findFiles(runtime.pid, new Set(sockets));
  if (!files || !isAlive(runtime)) return 'another';
  return { isHeld: () => [...files].every(([file, socket]) => linkOf(file) === socket) && isAlive(runtime) };
}

/** @returns socket by file descriptor path; undefined unless the process and its descendants hold all sockets */
function findFiles(pid: number, sockets: Set<string>): Map<string, string> | undefined {
  const files = new Map<string, string>();
  let left = MAX_FILES;
  for (const member of processTreeOf(pid)) {
    for (const file of openFilesOf(member)) {
      const socket = linkOf(file);
      if (socket !== undefined && sockets.delete(socket)) files.set(file, socket);
      if (sockets.size === 0) return files;
      if (--left === 0) return undefined;
    }
  }
  return undefined;
}

/** @returns `socket:[<inode>]` of each listener */
function listenersIn(table: string, port: number, addresses: ReadonlySet<string>): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return listeningRows(table)
    .filter(([, local = '']) => {
      const [address = '', at] = local.split(':');
      return at === wanted && addresses.has(address);
    })
    .map((fields) => `socket:[${fields[9]}]`);
}

/** Stops at the first connection: listeners come first, and connections may be many. @returns rows of fields */
function listeningRows(table: string): string[][] {
  let file: number;
  try {
    file = openSync(table, 'r');
  } catch {
    // The system has no IPv6.
    return [];
  }
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const listening: string[][] = [];
    for (let rest = ''; ; ) {
      const size = readSync(file, chunk);
      const lines = (rest + chunk.toString('latin1', 0, size)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const fields = line.trim().split(/\s+/);
        if (fields[3] === LISTENING) listening.push(fields);
        else if (!line.includes('local_address')) return listening;
      }
      if (size === 0) return listening;
    }
  } finally {
    closeSync(file);
  }
}

/** Empty for a process that is gone or another user's. */
function openFilesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((file) => `/proc/${pid}/fd/${file}`);
  } catch {
    return [];
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
