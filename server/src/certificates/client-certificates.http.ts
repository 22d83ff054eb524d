import { X509Certificate } from 'node:crypto';
import type { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAmong } from '../platform/http/client-addresses.ts';
import { TlsConnection } from '../platform/http/tls-connection.ts';
import type { PresentedCertificate } from './client-certificates.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** From any issuer and unchecked; see client-certificates.ts. */
    readonly clientCertificate: { certificate: PresentedCertificate } | undefined;
  }
}

const HEADER = 'x-forwarded-client-cert';
/** A value with separators is quoted, a quote inside it escaped by a backslash. */
const PAIR = /\s*(\w+)=(?:"((?:[^"\\]|\\.)*)"\s*|([^",;]*))([,;]|$)/y;
const ONE_PEM = /^\s*-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----\s*$/;

/**
 * From the TLS connection or a trusted proxy's header (contract, section 8). Any other sender's header is removed
 * before anything reads it.
 */
export function addClientCertificates(app: FastifyInstance, trustedProxies: BlockList): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers[HEADER] !== undefined && !isAmong(trustedProxies, raw.socket.remoteAddress))
      delete raw.headers[HEADER];
    done();
  });
  app.decorateRequest('clientCertificate', {
    getter(this: FastifyRequest) {
      // The header wins: the proxy's own certificate identifies no caller.
      const forwarded = this.raw.headers[HEADER];
      const certificate =
        forwarded === undefined ? peerOf(this.raw.socket) : parseClientCertificate(String(forwarded));
      return certificate && { certificate };
    },
  });
}

const peerOf = (socket: object): PresentedCertificate | undefined =>
  socket instanceof TlsConnection ? socket.peerCertificate : undefined;

/**
 * URL-encoded PEM (nginx, $ssl_client_escaped_cert), or one element per proxy, `By=…;Hash=…;Cert="<URL-encoded
 * PEM>";URI=…` (Envoy).
 *
 * Only the last element counts: the trusted proxy wrote it, and its client may have forged those before. A second Cert,
 * or an unbalanced quote that could swallow the last element, is rejected.
 */
export function parseClientCertificate(header: string): X509Certificate | undefined {
  const encoded = header.trimStart().startsWith('-----BEGIN') ? header : findOnlyCert(header);
  try {
    const pem = decodeURIComponent(encoded ?? '');
    return ONE_PEM.test(pem) ? new X509Certificate(pem) : undefined;
  } catch {
    return undefined;
  }
}

function findOnlyCert(header: string): string | undefined {
  const pairs = new RegExp(PAIR);
  const certs: string[] = [];
  let element = 0;
  let elementOfCert = 0;
  while (pairs.lastIndex < header.length) {
    const match = pairs.exec(header);
    if (!match) return undefined;
    const [, key, quoted, plain, separator] = match;
    if (key?.toLowerCase() === 'cert') {
      certs.push(quoted ?? plain?.trimEnd() ?? '');
      elementOfCert = element;
    }
    if (separator === ',') element++;
  }
  return certs.length === 1 && elementOfCert === element ? certs[0] : undefined;
}
