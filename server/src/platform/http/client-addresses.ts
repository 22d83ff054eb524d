import { type BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the caller is, past the proxies that are believed; '' of a connection that is gone. */
    readonly clientAddress: string;
  }
}

/** Some proxies write brackets about an address of version 6, or the port behind it, another one for each connection. */
const BRACKETS_OR_PORT = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * Gives requests the address that logins are counted by. Each proxy adds to X-Forwarded-For who called it, and what
 * stands before that its caller may have made up: so the last one counts that is none of ours. (Fastify's `trustProxy`
 * would take the host and the protocol from such headers as well.)
 */
export function addClientAddresses(app: FastifyInstance, forwardedForProxies: BlockList): void {
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      const { remoteAddress = '' } = this.raw.socket;
      if (!isAmong(forwardedForProxies, remoteAddress)) return remoteAddress;
      const callers = String(this.raw.headers['x-forwarded-for'] ?? '').split(',');
      const caller = callers.map(addressIn).findLast((address) => !isAmong(forwardedForProxies, address));
      // A proxy may also write that it does not know.
      return caller && isIP(caller) !== 0 ? caller : remoteAddress;
    },
  });
}

function addressIn(text: string): string {
  const [, bracketed, withoutPort] = BRACKETS_OR_PORT.exec(text.trim()) ?? [];
  return bracketed ?? withoutPort ?? text.trim();
}

/** What is no address is not, as that of a connection that is already gone. */
export const isAmong = (addresses: BlockList, address = ''): boolean =>
  addresses.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
