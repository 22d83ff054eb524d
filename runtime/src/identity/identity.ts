import { createPrivateKey } from 'node:crypto';
import type { TlsMaterial } from '../transport.ts';
import { type Certified, readCertified } from './certificate.ts';
import { createCsr } from './csr.ts';
import { newTlsKey, newWireguardKeys } from './keys.ts';
import { readState, type State, type Subject, writeState } from './state.ts';

export interface IdentitySettings {
  instanceId: string;
  /** The address in the tunnel. */
  vpnIp: string;
  /** Where keys and certificate are kept. */
  stateDir: string;
  /** The authority's certificates as they were at the start, PEM. */
  caPem: string;
}

/** ok: it has a certificate. enrolling: not yet, or it was refused. expired: none that still counts. */
export type IdentityStatus = 'ok' | 'enrolling' | 'expired';

/** Who this runtime is, and how it proves that. */
export interface Identity {
  /** Takes up what an earlier process kept; to be called once, before anything else. */
  open: () => Promise<void>;
  status: () => IdentityStatus;
  /** The certificate that is shown; undefined while there is none. */
  current: () => Certified | undefined;
  /** Whether a certificate was asked for and its answer is not known. */
  isPending: () => boolean;
  /** What the TLS client uses now: the same object until it changes. */
  tls: () => TlsMaterial;
  publicKey: () => string;
  /** The request for the next certificate, always of the same key until an answer was taken. Kept before it returns. */
  request: () => Promise<string>;
  /** Takes an answer: keeps the certificate, then uses it. Rejects, and changes nothing, when it is not one for us. */
  accept: (answer: unknown) => Promise<Certified>;
  /** Gives up the key that was asked with: the next request is of another. */
  withdraw: () => void;
  /** The control plane no longer takes the certificate. */
  refuse: () => void;
}

/** What is answered where a certificate was asked for, and is none. */
class NotACertificate extends Error {
  constructor() {
    super('The answer holds no certificate for this key');
    this.name = 'NotACertificate';
  }
}

export function createIdentity(settings: IdentitySettings, now: () => number): Identity {
  const { instanceId, stateDir, caPem } = settings;
  const subject: Subject = { instance_id: instanceId, vpn_ip: settings.vpnIp };
  let state: State = { ...subject, wireguard: newWireguardKeys() };
  let isRefused = false;
  let tls: TlsMaterial = { ca: [caPem] };

  const current = () => (isRefused ? undefined : state.current);

  async function keep(next: State): Promise<void> {
    await writeState(stateDir, next);
    state = next;
  }

  return {
    async open() {
      state = (await readState(stateDir, subject)) ?? state;
      const kept = state.current;
      // What was given at the start may be newer than what was kept, or older: nobody can tell.
      if (kept) tls = { ca: [caPem, kept.ca_pem], cert: kept.cert_pem, key: kept.private_key_pem };
    },
    status() {
      const certified = current();
      if (certified === undefined) return 'enrolling';
      return now() < Date.parse(certified.expires_at) ? 'ok' : 'expired';
    },
    current,
    isPending: () => state.next_key_pem !== undefined,
    tls: () => tls,
    publicKey: () => state.wireguard.public_key,
    async request() {
      const next_key_pem = state.next_key_pem ?? newTlsKey();
      if (state.next_key_pem === undefined) await keep({ ...state, next_key_pem });
      return createCsr(createPrivateKey(next_key_pem));
    },
    async accept(answer) {
      const { next_key_pem, ...others } = state;
      const certified = next_key_pem && readCertified(answer, next_key_pem, instanceId);
      if (!certified) throw new NotACertificate();
      await keep({ ...others, current: certified });
      isRefused = false;
      tls = { ca: [certified.ca_pem], cert: certified.cert_pem, key: certified.private_key_pem };
      return certified;
    },
    withdraw() {
      const { next_key_pem: _, ...others } = state;
      state = others;
    },
    refuse() {
      isRefused = true;
      tls = { ca: tls.ca };
    },
  };
}
