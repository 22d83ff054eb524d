import { createPrivateKey } from 'node:crypto';
import type { TlsMaterial } from '../transport.ts';
import { type Certified, readCertified } from './certificate.ts';
import { createCsr } from './csr.ts';
import { newTlsKey, newWireguardKeys } from './keys.ts';
import { readState, type State, type Subject, writeState } from './state.ts';

interface IdentitySettings {
  instanceId: string;
  vpnIp: string;
  stateDir: string;
  /** The CA certificates from the environment, PEM. */
  caPem: string;
}

/** enrolling: no certificate yet, or it was refused. expired: the certificate has expired. */
export type IdentityStatus = 'ok' | 'enrolling' | 'expired';

/** The runtime's keys and certificate. */
export interface Identity {
  /** Loads the stored state. Call it once, before all other methods. */
  open: () => Promise<void>;
  status: () => IdentityStatus;
  /** The certificate in use. */
  current: () => Certified | undefined;
  /** A certificate was requested, and the response is unknown. */
  isPending: () => boolean;
  /** The same object until it changes. */
  tls: () => TlsMaterial;
  publicKey: () => string;
  /** A CSR for the next certificate. Its key is stored first, and reused until a response is accepted. */
  request: () => Promise<string>;
  /** Stores, then uses the certificate of a response. Rejects without effect when it does not match. */
  accept: (answer: unknown) => Promise<Certified>;
  /** The next request uses a new key. */
  withdraw: () => void;
  /** Stops using the certificate, which the control plane refused. */
  refuse: () => void;
}

class NotACertificate extends Error {
  constructor() {
    super('The response holds no certificate for this key');
    this.name = 'NotACertificate';
  }
}

/** @param onCertified called with each certificate that is valid when it comes into use */
export function createIdentity(
  settings: IdentitySettings,
  now: () => number,
  onCertified: (certified: Certified) => void = () => {},
): Identity {
  const { instanceId, stateDir, caPem } = settings;
  const subject: Subject = { instance_id: instanceId, vpn_ip: settings.vpnIp };
  let state: State = { ...subject, wireguard: newWireguardKeys() };
  let isRefused = false;
  let tls: TlsMaterial = { ca: [caPem] };

  const current = () => (isRefused ? undefined : state.current);

  function status(): IdentityStatus {
    const certified = current();
    if (certified === undefined) return 'enrolling';
    return now() < Date.parse(certified.expires_at) ? 'ok' : 'expired';
  }

  async function keep(next: State): Promise<void> {
    await writeState(stateDir, next);
    state = next;
  }

  return {
    async open() {
      state = (await readState(stateDir, subject)) ?? state;
      const kept = state.current;
      // Trust both CA bundles: either may be the newer one.
      if (kept) tls = { ca: [caPem, kept.ca_pem], cert: kept.cert_pem, key: kept.private_key_pem };
      if (kept && status() === 'ok') onCertified(kept);
    },
    status,
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
      onCertified(certified);
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
