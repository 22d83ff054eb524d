import { ValidationError, valueFault } from '../platform/errors.ts';

/** Hosts as URLs spell them, without duplicates; 422 for anything else. */
export function readAllowedHosts(hosts: readonly string[]): string[] {
  const read = hosts.map((host) => parseHost(host.trim()));
  const faults = read.flatMap((host, index) =>
    host === undefined
      ? [valueFault(['body', 'allowed_hosts', String(index)], 'Has to be a host, such as mcp.example.com')]
      : [],
  );
  if (faults.length > 0) throw new ValidationError(faults);
  return [...new Set(read.filter((host) => host !== undefined))];
}

/** A host without a port allows all of its ports. */
export const isAllowedHost = (url: URL, allowed: readonly string[]): boolean =>
  allowed.some((host) => host === url.hostname || host === hostWithPort(url));

const hostWithPort = ({ hostname, port, protocol }: URL) =>
  `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;

function parseHost(text: string): string | undefined {
  const [, name = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^[\]:/?#@*\\\s]+)(:\d{1,5})?$/i.exec(text) ?? [];
  if (name === '' || !URL.canParse(`https://${name}${port}`)) return undefined;
  return new URL(`https://${name}`).hostname + port;
}
