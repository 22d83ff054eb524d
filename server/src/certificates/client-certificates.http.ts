import { X509Certificate } from 'node:crypto';
import type { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAmong } from '../platform/http/client-addresses.ts';
import { TlsConnection } from '../platform/http/tls-connection.ts';
import type { PresentedCertificate } from './client-certificates.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The certificate whose key the caller holds, from any issuer; undefined when there is none. client-certificates.ts
     * decides whether it is valid.
     */
    readonly clientCertificate: { certificate: PresentedCertificate } | undefined;
  }
}

const HEADER = 'x-forwarded-client-cert';
/** `key=value`; a value with separators is in double quotes, a quote inside it follows a backslash. */
const PAIR = /\s*(\w+)=(?:"((?:[^"\\]|\\.)*)"\s*|([^",;]*))([,;]|$)/y;
const ONE_PEM = /^\s*-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----\s*$/;

/**
 * Gives requests their client certificate (contract, section 8), from the TLS connection or from the header of a
 * trusted proxy. The header of any other sender is removed before anything reads it.
 */
export function addClientCertificates(app: FastifyInstance, trustedProxies: BlockList): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers[HEADER] !== undefined && !isAmong(trustedProxies, raw.socket.remoteAddress))
      delete raw.headers[HEADER];
    done();
  });
  app.decorateRequest('clientCertificate', {
    getter(this: FastifyRequest) {
      // A header that is still there is a proxy's, whose own certificate identifies no caller.
      const forwarded = this.raw.headers[HEADER];
      const certificate =
        forwarded === undefined ? peerOf(this.raw.socket) : certificateOf(String(forwarded));
      return certificate && { certificate };
    },
  });
}

const peerOf = (socket: object): PresentedCertificate | undefined =>
  socket instanceof TlsConnection ? socket.peerCertificate : undefined;

/**
 * The certificate of an X-Forwarded-Client-Cert header; undefined when none can be read. Two forms are accepted:
 * URL-encoded PEM (nginx, $ssl_client_escaped_cert), and Envoy's elements, `By=…;Hash=…;Cert="<URL-encoded
 * PEM>";URI=…`, one per proxy.
 *
 * Only the last element counts: the trusted proxy wrote it about its own client, and that client may have forged the
 * elements before. A header with a second Cert, or with an unbalanced quote that could swallow the last element, is
 * rejected.
 */
export function certificateOf(header: string): X509Certificate | undefined {
  const encoded = header.trimStart().startsWith('-----BEGIN') ? header : certOf(header);
  try {
    const pem = decodeURIComponent(encoded ?? '');
    return ONE_PEM.test(pem) ? new X509Certificate(pem) : undefined;
  } catch {
    return undefined;
  }
}

/** The value of the header's only Cert, which has to be in its last element. */
function certOf(header: string): string | undefined {
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
