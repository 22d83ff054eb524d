import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at, textOf } from '../json.ts';
import { type Certified, readCertified } from './certificate.ts';
import { isTlsKey, isWireguardPair, type WireguardKeys } from './keys.ts';

/** A state of another instance or tunnel address is not used. */
export interface Subject {
  instance_id: string;
  vpn_ip: string;
}

/** One file, so that it is written atomically. */
export interface State extends Subject {
  wireguard: WireguardKeys;
  /** Absent before the first enrollment. */
  current?: Certified;
  /**
   * The key of a pending certificate request. It is stored before the request is sent: after a lost response, the same
   * request gets the same certificate.
   */
  next_key_pem?: string;
}

const pathIn = (directory: string) => join(directory, 'identity.json');

/** undefined: no complete, valid state of this subject. */
export async function readState(directory: string, subject: Subject): Promise<State | undefined> {
  try {
    return parseState(JSON.parse(await readFile(pathIn(directory), 'utf8')), subject);
  } catch {
    return undefined;
  }
}

function parseState(kept: unknown, { instance_id, vpn_ip }: Subject): State | undefined {
  if (at(kept, 'instance_id') !== instance_id || at(kept, 'vpn_ip') !== vpn_ip) return undefined;
  const private_key = textOf(at(kept, 'wireguard', 'private_key')) ?? '';
  const public_key = textOf(at(kept, 'wireguard', 'public_key')) ?? '';
  const wireguard = { private_key, public_key };
  if (!isWireguardPair(wireguard)) return undefined;
  const state: State = { instance_id, vpn_ip, wireguard };

  const keptCurrent = at(kept, 'current');
  if (keptCurrent !== undefined) {
    const key = textOf(at(keptCurrent, 'private_key_pem')) ?? '';
    const current = isTlsKey(key) ? readCertified(keptCurrent, key, instance_id) : undefined;
    if (current === undefined) return undefined;
    state.current = current;
  }
  const next_key_pem = textOf(at(kept, 'next_key_pem'));
  if (next_key_pem !== undefined) {
    if (!isTlsKey(next_key_pem)) return undefined;
    state.next_key_pem = next_key_pem;
  }
  return state;
}

/** Atomic and durable, mode 0600. */
export async function writeState(directory: string, state: State): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = pathIn(directory);
  // Only one process writes, so the name is fixed; the next write replaces the leftover of a crash.
  const temporary = `${path}.new`;
  await writeFile(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(temporary, path);
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
