import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { familyOf, isAlive, type NamedProcess } from './proc.ts';

const LISTENING = '0A';
/** Addresses at which a connection to 127.0.0.1 may arrive, as proc(5) writes them. */
const IPV4 = new Set(['0100007F', '00000000']);
const IPV6 = new Set([
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
  '0000000000000000FFFF000000000000',
]);
/** The kernel looks for as many connections as fill it, which takes milliseconds where there are few. */
const CHUNK_BYTES = 1024;
/** A runtime with more open files proves nothing: the search has a price. */
const MAX_FILES = 10_000;

/** A port that a runtime alone listens at. */
export interface HeldPort {
  /** False once the runtime has closed a socket, or has ended: another may have the port. */
  isHeld(): boolean;
}

/** The kernel's word on who listens at a port of 127.0.0.1: this runtime's process and its descendants alone, or not. */
export function listenerAt(port: number, runtime: NamedProcess): HeldPort | 'another' | 'nobody' {
  let sockets = listenersIn('/proc/net/tcp', port, IPV4);
  // A connection goes to IPv6 only where IPv4 has no listener.
  if (sockets.length === 0) sockets = listenersIn('/proc/net/tcp6', port, IPV6);
  if (sockets.length === 0) return 'nobody';
  const files = findFiles(runtime.pid, new Set(sockets));
  if (!files || !isAlive(runtime)) return 'another';
  return { isHeld: () => [...files].every(([file, socket]) => linkOf(file) === socket) && isAlive(runtime) };
}

/** Finds the open files of a family that are these sockets. @returns undefined where one is missing */
function findFiles(pid: number, sockets: Set<string>): Map<string, string> | undefined {
  const files = new Map<string, string>();
  let left = MAX_FILES;
  for (const member of familyOf(pid)) {
    for (const file of openFilesOf(member)) {
      const socket = linkOf(file);
      if (socket !== undefined && sockets.delete(socket)) files.set(file, socket);
      if (sockets.size === 0) return files;
      if (--left === 0) return undefined;
    }
  }
  return undefined;
}

/** The listeners of a port, as `socket:[<inode>]`. */
function listenersIn(table: string, port: number, addresses: ReadonlySet<string>): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return listeningRows(table)
    .filter(([, local = '']) => {
      const [address = '', at] = local.split(':');
      return at === wanted && addresses.has(address);
    })
    .map((fields) => `socket:[${fields[9]}]`);
}

/** Listeners stand before all connections, of which there may be many: the rest is not read. @returns rows of fields */
function listeningRows(table: string): string[][] {
  let file: number;
  try {
    file = openSync(table, 'r');
  } catch {
    // A system without IPv6.
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

/** Empty for a process that has ended or belongs to another user. */
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
