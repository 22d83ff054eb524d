import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAlive, type ProcessKey, processTreeOf } from './proc.ts';

const LISTENING = '0A';
/** Listeners at these addresses accept connections to 127.0.0.1 (format of proc(5)). */
const IPV4 = new Set(['0100007F', '00000000']);
const IPV6 = new Set([
  '00000000000000000000000000000000',
  '0000000000000000FFFF00000100007F',
  '0000000000000000FFFF000000000000',
]);
/** The tables of connections, with 127.0.0.1 as each writes it. */
const CONNECTIONS = [
  ['/proc/net/tcp', '0100007F'],
  ['/proc/net/tcp6', '0000000000000000FFFF00000100007F'],
] as const;
/** Small, because the kernel searches its whole table to fill a read, which takes milliseconds. */
const CHUNK_BYTES = 1024;
/** Bounds the search. A runtime with more open files counts as not listening. */
const MAX_FILES = 10_000;

/** The kernel's word on who listens at a port of 127.0.0.1: this runtime's process and its descendants alone, or not. */
export function holderOf(port: number, runtime: ProcessKey): 'runtime' | 'another' | 'nobody' {
  let sockets = listenersIn('/proc/net/tcp', port, IPV4);
  // The kernel uses an IPv6 listener only if there is none for IPv4.
  if (sockets.length === 0) sockets = listenersIn('/proc/net/tcp6', port, IPV6);
  if (sockets.length === 0) return 'nobody';
  return haveOpen(runtime, new Set(sockets)) ? 'runtime' : 'another';
}

/**
 * The kernel's word on a connection from a port of 127.0.0.1 to another: it is the runtime's, or nobody has accepted it yet.
 * The kernel walks through room for all connections of the machine for it, so this does not run on the main thread.
 */
export async function isAcceptedBy(runtime: ProcessKey, port: number, from: number): Promise<boolean> {
  for (const [table, address] of CONNECTIONS) {
    const text = await readFile(table, 'latin1').catch(() => '');
    const row = text.indexOf(`: ${address}:${hexOf(port)} ${address}:${hexOf(from)} `);
    if (row < 0) continue;
    const inode = text.slice(row).split('\n', 1)[0]?.trim().split(/\s+/)[9];
    return inode === '0' || haveOpen(runtime, new Set([`socket:[${inode}]`]));
  }
  return false;
}

/** True when the open files of a family have all these sockets among them. */
function haveOpen(runtime: ProcessKey, sockets: Set<string>): boolean {
  let left = MAX_FILES;
  for (const member of processTreeOf(runtime.pid)) {
    for (const file of openFilesOf(member)) {
      const socket = linkOf(file);
      if (socket !== undefined) sockets.delete(socket);
      if (sockets.size === 0) return isAlive(runtime);
      if (--left === 0) return false;
    }
  }
  return false;
}

/** @returns `socket:[<inode>]` of each listener */
function listenersIn(table: string, port: number, addresses: ReadonlySet<string>): string[] {
  const wanted = hexOf(port);
  return listeningRows(table)
    .filter(([, local = '']) => {
      const [address = '', at] = local.split(':');
      return at === wanted && addresses.has(address);
    })
    .map((fields) => `socket:[${fields[9]}]`);
}

const hexOf = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

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
