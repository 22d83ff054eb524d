import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at, textOf } from '../json.ts';
import { type Certified, readCertified } from './certificate.ts';
import { isTlsKey, isWireguardPair, type WireguardKeys } from './keys.ts';

/** Whose state it is: that of another instance or another tunnel address is of no use. */
export interface Subject {
  instance_id: string;
  vpn_ip: string;
}

/** All that makes the identity, in one file, so that it is there whole or not at all. */
export interface State extends Subject {
  wireguard: WireguardKeys;
  /** Absent before the first enrollment. */
  current?: Certified;
  /**
   * The key of a certificate that was asked for and has not come yet. It is written down before it is sent: when the
   * answer is lost, the same question gets the same answer.
   */
  next_key_pem?: string;
}

const pathIn = (directory: string) => join(directory, 'identity.json');

/** What is kept of this subject; undefined when there is nothing, or nothing that can be used as a whole. */
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

/** Replaces what is kept, for its owner alone; after a crash it is the old or the new, never half of it. */
export async function writeState(directory: string, state: State): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = pathIn(directory);
  // One name, because one process writes: what a crash leaves is written over.
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
