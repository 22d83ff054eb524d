import { type BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's address behind trusted proxies; '' for a closed connection. */
    readonly clientAddress: string;
  }
}

/** Some proxies put an IPv6 address in brackets or append the port. */
const BRACKETS_OR_PORT = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * Adds `clientAddress` to requests: the last address of X-Forwarded-For that is not one of our proxies, because a caller
 * can make up those before it. Fastify's `trustProxy` would also take host and protocol from headers.
 */
export function addClientAddresses(app: FastifyInstance, forwardedForProxies: BlockList): void {
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      const { remoteAddress = '' } = this.raw.socket;
      if (!isAmong(forwardedForProxies, remoteAddress)) return remoteAddress;
      const callers = String(this.raw.headers['x-forwarded-for'] ?? '').split(',');
      const caller = callers.map(addressIn).findLast((address) => !isAmong(forwardedForProxies, address));
      // A proxy may write `unknown`.
      return caller && isIP(caller) !== 0 ? caller : remoteAddress;
    },
  });
}

function addressIn(text: string): string {
  const [, bracketed, withoutPort] = BRACKETS_OR_PORT.exec(text.trim()) ?? [];
  return bracketed ?? withoutPort ?? text.trim();
}

/** False for text that is no address, such as that of a closed connection. */
export const isAmong = (addresses: BlockList, address = ''): boolean =>
  addresses.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
