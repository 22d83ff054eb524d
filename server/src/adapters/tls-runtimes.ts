import { constants } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import {
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { signalAfter } from '../platform/signal-after.ts';
import type { RuntimeTrust } from '../runtimes/runtime-client.port.ts';
import { MeteredSocket } from './metered-socket.ts';
import { NotTheRuntime, RuntimePools } from './runtime-pools.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * OpenSSL verifies a made-up chain on the event loop, in up to 9 ms per KiB. An honest handshake takes 2 KiB, and 7 where
 * the authority is of others, with large keys.
 */
const HANDSHAKE_BYTES = 12 * 1024;
const INSTANCE = /^#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Connections to runtimes with TLS=on, at `https://<ip>:<port>#<instance id>`. An address may be another runtime's a second
 * later, so no byte of a request leaves before the certificate is known to be the instance's own.
 */
export class TlsRuntimes {
  readonly #trust: RuntimeTrust;
  readonly #pools = new RuntimePools((address) => this.#open(address));
  /** Made from the bundle that was trusted last, because reading it takes a millisecond. */
  #context: { bundle: string; secure: SecureContext } | undefined;

  constructor(trust: RuntimeTrust) {
    this.#trust = trust;
  }

  /** Rejects with NotTheRuntime as the `cause`. */
  readonly fetch = this.#pools.fetch;

  close(): Promise<void> {
    return this.#pools.close();
  }

  async #open(address: URL): Promise<TLSSocket> {
    const [, instance_id] = INSTANCE.exec(address.hash) ?? [];
    if (instance_id === undefined) throw new Error('The address names no instance');
    const secureContext = await this.#trusted();
    const raw = connectTcp({
      host: address.hostname.replace(/^\[|\]$/g, ''),
      port: Number(address.port || 443),
      noDelay: true,
    });
    const metered = new MeteredSocket(raw, HANDSHAKE_BYTES, () => notIt('its handshake is too long'));
    const socket = connect({
      socket: metered,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      checkServerIdentity: (_host, peer) => this.#fault(peer, instance_id),
    });
    // Whoever waits for the connection hears of it by `once`; afterwards undici listens.
    socket.on('error', () => {});
    try {
      await once(socket, 'secureConnect', { signal: signalAfter(CONNECT_TIMEOUT_MS) });
      metered.lift();
      const { raw, serialNumber } = socket.getPeerCertificate();
      if (!(await this.#trust.isInUse(instance_id, { raw, serialNumber })))
        throw notIt('its certificate is not in use');
      if (socket.destroyed) throw Object.assign(new Error('Closed at once'), { code: 'ECONNRESET' });
      return socket;
    } catch (error) {
      socket.destroy();
      const isRefused = socket.authorizationError && !(error instanceof NotTheRuntime);
      throw isRefused ? notIt(String(socket.authorizationError)) : error;
    }
  }

  /** The exact name, so that no other name beside it can matter. */
  #fault({ subjectaltname }: PeerCertificate, instance_id: string): Error | undefined {
    const { trust_domain } = this.#trust;
    if (subjectaltname === `URI:spiffe://${trust_domain}/instance/${instance_id}`) return undefined;
    return notIt('its certificate has another name');
  }

  async #trusted(): Promise<SecureContext> {
    const bundle = await this.#trust.trustBundle();
    if (this.#context?.bundle !== bundle)
      this.#context = { bundle, secure: createSecureContext(optionsOf(bundle)) };
    return this.#context.secure;
  }
}

/** A renegotiation would bring further certificates, after the look at the first. */
const optionsOf = (ca: string) => ({
  ca,
  minVersion: 'TLSv1.2' as const,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
});

const notIt = (why: string) => new NotTheRuntime(`another program listens at its address: ${why}`);
