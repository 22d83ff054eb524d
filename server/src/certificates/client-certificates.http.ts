import type { BlockList, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAmong } from '../platform/http/client-addresses.ts';
import type { PresentedCertificate } from './client-certificates.ts';
import { certificateOf } from './forwarded-certificate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * What the caller proved to hold the key of, whoever issued it; undefined: nothing. Whether it is worth anything
     * is the rule of domain/client-certificates.ts.
     */
    readonly clientCertificate: { certificate: PresentedCertificate } | undefined;
  }
}

const HEADER = 'x-forwarded-client-cert';

/**
 * Gives requests their client certificate (contract, section 8): of the TLS connection, or of the header of a proxy
 * that ended it. From everybody else the header is taken away before anything sees it.
 */
export function addClientCertificates(app: FastifyInstance, trustedProxies: BlockList): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers[HEADER] !== undefined && !isAmong(trustedProxies, raw.socket.remoteAddress))
      delete raw.headers[HEADER];
    done();
  });
  app.decorateRequest('clientCertificate', {
    getter(this: FastifyRequest) {
      // Who is still allowed to send it: a proxy, whose own certificate on the way to us names no caller.
      const forwarded = this.raw.headers[HEADER];
      const certificate =
        forwarded === undefined ? certificateOfPeer(this.raw.socket) : certificateOf(String(forwarded));
      return certificate && { certificate };
    },
  });
}

/**
 * Not getPeerX509Certificate: on the server's side Node never frees what that was asked for, 5 KB for each connection
 * (20.20), and its first call decodes every certificate that the client sent along, half a millisecond for an issuer and
 * a root. What stands in for none is an empty object, and null for a connection that is gone.
 */
function certificateOfPeer(socket: Socket | TLSSocket): PresentedCertificate | undefined {
  if (!('getPeerCertificate' in socket)) return undefined;
  const certificate: Partial<PresentedCertificate> | null = socket.getPeerCertificate();
  const { raw, serialNumber } = certificate ?? {};
  return raw && serialNumber !== undefined ? { raw, serialNumber } : undefined;
}
