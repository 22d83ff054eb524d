import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { answerClientError, ignoreExpectations, serverOptions } from '../platform/http/raw-http.ts';
import type { ListenerCertificate, ListenerCredentials } from './listener-certificate.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * Serves the app over TLS and asks clients for a certificate (contract, section 8). The handshake only proves that the
 * client holds the certificate's key; it also succeeds without a certificate or with an unknown one. Routes that need a
 * certificate answer 401 themselves, in JSON and by the injected clock.
 */
export class MtlsListener {
  readonly #app: FastifyInstance;
  readonly #certificate: ListenerCertificate;
  readonly #log: FastifyBaseLogger;
  readonly #handshakeTimeoutMs: number;
  readonly #handshakes = new Map<string, Socket>();
  /** The number of requests in flight on each connection. */
  readonly #connections = new Map<Socket, number>();
  #server: Server | undefined;
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

  /** @returns the URL, with the host name of the certificate */
  async listen(host: string, port: number): Promise<string> {
    await this.#app.ready();
    const { credentials, stop } = await this.#certificate.follow((changed) => {
      this.#server?.setSecureContext(contextOf(changed));
      this.#log.info('the mTLS listener follows a change of certificates');
    });
    this.#unfollow = stop;
    const server = createServer({
      ...contextOf(credentials),
      ...serverOptions,
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: this.#handshakeTimeoutMs,
    });
    this.#server = server;
    this.#follow(server);
    server.listen({ host, port });
    await once(server, 'listening');
    server.on('error', (error) => this.#log.error({ err: error }, 'the mTLS listener failed'));
    return `https://${hostOf(host)}:${(server.address() as AddressInfo).port}`;
  }

  /** Accepts no new connections, finishes requests in flight, and closes idle connections. */
  async close(): Promise<void> {
    this.#unfollow?.();
    const server = this.#server;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#handshakes.values()) socket.destroy();
    for (const [socket, inFlight] of this.#connections) if (inFlight === 0) socket.destroy();
    await closed;
  }

  /** Aborts requests in flight. */
  breakOff(): void {
    this.#server?.closeAllConnections();
  }

  #follow(server: Server): void {
    // The same limits as the app's own listener.
    const { keepAliveTimeout, requestTimeout, headersTimeout, timeout, maxRequestsPerSocket } =
      this.#app.server;
    const limits = { keepAliveTimeout, requestTimeout, headersTimeout, timeout, maxRequestsPerSocket };
    Object.assign(server, limits);
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      this.#handshakes.set(peer, socket);
      socket.once('close', () => this.#handshakes.delete(peer));
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      this.#handshakes.delete(peerOf(socket));
      this.#connections.set(socket, 0);
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Before the end of the handshake, as for plain HTTP, there is no channel for an answer.
      if (this.#connections.has(socket as Socket)) answerClientError(error, socket as Socket);
      else socket.destroy();
    });
    ignoreExpectations(server);
    server.on('request', (request, response) => {
      this.#count(request.socket, 1);
      response.once('close', () => this.#count(request.socket, -1));
      this.#app.routing(request, response);
    });
  }

  #count(socket: Socket, change: number): void {
    const inFlight = (this.#connections.get(socket) ?? 0) + change;
    if (this.#connections.has(socket)) this.#connections.set(socket, inFlight);
    if (inFlight === 0 && !this.#server?.listening) socket.destroySoon();
  }
}

/** The host in a URL; the loopback address for a wildcard address. */
function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  const [address] = (host === '::' ? '::1' : host).split('%');
  return address?.includes(':') ? `[${address}]` : host;
}

/** Authenticated encryption alone. Node switches TLS 1.3 off where none of its suites is named. */
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

/** Identifies an open connection; its TCP socket and its TLS socket have the same name. */
const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
