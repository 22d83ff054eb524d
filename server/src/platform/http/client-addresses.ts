import { type BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Behind trusted proxies; '' for a closed connection. */
    readonly clientAddress: string;
  }
}

/** Some proxies bracket IPv6 addresses or append the port. */
const BRACKETS_OR_PORT = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * `clientAddress` is the last address of X-Forwarded-For that is not a trusted proxy, because callers can forge those
 * before it. Fastify's `trustProxy` would also trust host and protocol.
 */
export function addClientAddresses(app: FastifyInstance, forwardedForProxies: BlockList): void {
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      const { remoteAddress = '' } = this.raw.socket;
      if (!isAmong(forwardedForProxies, remoteAddress)) return remoteAddress;
      const callers = String(this.raw.headers['x-forwarded-for'] ?? '').split(',');
      const caller = callers.map(addressIn).findLast((address) => !isAmong(forwardedForProxies, address));
      // Proxies may write `unknown`.
      return caller && isIP(caller) !== 0 ? caller : remoteAddress;
    },
  });
}

function addressIn(text: string): string {
  const [, bracketed, withoutPort] = BRACKETS_OR_PORT.exec(text.trim()) ?? [];
  return bracketed ?? withoutPort ?? text.trim();
}

/** False for invalid addresses, such as that of a closed connection. */
export const isAmong = (addresses: BlockList, address = ''): boolean =>
  addresses.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
