import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { serveRuntime } from '../platform/http/runtime-connections.ts';
import { TlsThread } from '../platform/http/tls-thread.ts';
import type { ListenerCertificate, ListenerCredentials } from './listener-certificate.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * Asks clients for a certificate (contract, section 8). The handshake proves at most that the client holds its key;
 * routes check the certificate, to answer 401 in JSON by the service's clock.
 *
 * TLS ends in a thread of its own. The app's own server takes the decrypted connections, so its limits apply, and
 * serves them the routes for runtimes alone.
 */
export class MtlsListener {
  readonly #app: FastifyInstance;
  readonly #certificate: ListenerCertificate;
  readonly #log: FastifyBaseLogger;
  readonly #handshakeTimeoutMs: number;
  #thread: TlsThread | undefined;
  #unfollow: (() => void) | undefined;

  constructor(
    app: FastifyInstance,
    certificate: ListenerCertificate,
    log: FastifyBaseLogger,
    handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS,
  ) {
    this.#app = app;
    this.#certificate = certificate;
    this.#log = log;
    this.#handshakeTimeoutMs = handshakeTimeoutMs;
  }

  async listen(host: string, port: number): Promise<string> {
    await this.#app.ready();
    const { credentials, stop } = await this.#certificate.follow((changed) => {
      this.#thread?.setContext(contextOf(changed));
      this.#log.info('the mTLS listener follows a change of certificates');
    });
    this.#unfollow = stop;
    this.#thread = new TlsThread({
      context: contextOf(credentials),
      handshakeTimeoutMs: this.#handshakeTimeoutMs,
      log: this.#log,
      onConnection: (connection) => serveRuntime(this.#app, connection),
    });
    return `https://${hostOf(host)}:${await this.#thread.listen(host, port)}`;
  }

  /**
   * Listens at a Unix socket as well, for one runtime. Its connections have no address that a proxy could have.
   * @returns ends that
   */
  async listenAt(path: string): Promise<() => Promise<void>> {
    if (!this.#thread) throw new Error('The mTLS listener is not open');
    return this.#thread.listenAt(path);
  }

  /** Accepts no new connections. Closing the app ends the existing ones. */
  async close(): Promise<void> {
    this.#unfollow?.();
    await this.#thread?.close();
  }
}

function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  const [address] = (host === '::' ? '::1' : host).split('%');
  return address?.includes(':') ? `[${address}]` : host;
}

/** Only authenticated encryption. Node disables TLS 1.3 unless one of its suites is named. */
const AEAD_SUITES = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');
/** Without the finite-field groups of TLS 1.3, of which ffdhe2048 is the weakest. */
const CURVES = 'X25519:P-256:P-384';

const contextOf = ({ cert_pem, private_key_pem, ca_pem }: ListenerCredentials) => ({
  cert: cert_pem,
  key: private_key_pem,
  ca: ca_pem,
  minVersion: 'TLSv1.2' as const,
  ciphers: AEAD_SUITES,
  ecdhCurve: CURVES,
});
