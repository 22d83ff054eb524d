import type { BlockList } from 'node:net';
import { isAbsolute } from 'node:path';
import { toBlockList } from './addresses.ts';
import { SESSION_ATTRIBUTES, urlsOf } from './db/servers.ts';

// Each function throws a ConfigError for an invalid value.

/** The message is one line that names the setting. */
export class ConfigError extends Error {}

/** pg ignores an unknown PGSSLMODE and connects without TLS. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
export function readPort(name: string, text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  const port = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new ConfigError(`${name} has to be a port from 0 to 65535, not "${text}"`);
  }
  return port;
}

export function readSeconds(
  name: string,
  text: string | undefined,
  { otherwise, least = 0, most }: { otherwise: number; least?: number; most: number },
): number {
  if (!text) return otherwise;
  if (!/^\d{1,6}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new ConfigError(`${name} has to be whole seconds from ${least} to ${most}, not "${text}"`);
  return Number(text);
}

/** From 0 to 1; default 1. */
export function readShare(name: string, text: string | undefined): number {
  if (!text) return 1;
  if (!/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text))
    throw new ConfigError(`${name} has to be a share from 0 to 1, not "${text}"`);
  return Number(text);
}

export function readMilliseconds(name: string, text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  if (!/^\d{1,8}$/.test(text)) throw new ConfigError(`${name} has to be whole milliseconds, not "${text}"`);
  return Number(text);
}

const MAX_DAYS = 36_500;

export function readDays(name: string, text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  const days = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(days >= 1 && days <= MAX_DAYS)) {
    throw new ConfigError(`${name} has to be a number of days from 1 to ${MAX_DAYS}, not "${text}"`);
  }
  return days;
}

export function oneOf<const T extends readonly string[]>(name: string, text: string, allowed: T): T[number] {
  if (!allowed.includes(text))
    throw new ConfigError(`${name} has to be one of ${allowed.join(', ')}, not "${text}"`);
  return text;
}

/** fetch refuses a URL with credentials. */
export function readUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`${name} has to be an http or https URL`);
  if (url.username || url.password)
    throw new ConfigError(`${name} has to be a URL without user and password`);
  return text.replace(/\/+$/, '');
}

/** An address without a path, to which paths are appended. */
export function readOrigin(name: string, text: string): string {
  const { origin, pathname, search, hash } = new URL(readUrl(name, text));
  if (pathname !== '/' || search !== '' || hash !== '' || /[?#]/.test(text))
    throw new ConfigError(`${name} has to be an http or https URL without a path`);
  return origin;
}

/** For appended paths. */
export function readBaseUrl(name: string, text: string): string {
  const url = readUrl(name, text);
  if (/[?#]/.test(url)) throw new ConfigError(`${name} has to be a URL without ? and #`);
  return url;
}

export function readHosts(name: string, text: string): string[] {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase());
  const wrong = hosts.find(
    (host) => !URL.canParse(`http://${host}`) || new URL(`http://${host}`).hostname !== host,
  );
  if (wrong !== undefined)
    throw new ConfigError(`${name} has to be host names with commas between them, not "${wrong}"`);
  return hosts;
}

/** Hosts, each for the ports of the web or with a port for that one. */
export function readHostsWithPorts(name: string, text: string | undefined): string[] {
  if (!text) return [];
  const hosts = text.split(',').map((host) => host.trim().toLowerCase());
  const wrong = hosts.find((host) => !isHostWithPort(host));
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} has to be host names with commas between them, each with or without a port, not "${wrong}"`,
    );
  return hosts;
}

function isHostWithPort(text: string): boolean {
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535 || String(Number(port)) !== port))
    return false;
  return host !== '' && URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host;
}

export function readProxies(name: string, text: string | undefined): BlockList {
  const list = toBlockList(text || '');
  if (!list) throw new ConfigError(`${name} has to be a comma list of addresses and CIDR ranges`);
  return list;
}

/**
 * Validates DATABASE_URL as pg reads it: the host may be absent with a socket parameter, and PG… variables are
 * defaults. Adds PGOPTIONS, which pg ignores when a session has options of ours.
 */
export function readDatabaseUrl(
  text: string | undefined,
  otherwise: { options: string | undefined; sslmode: string | undefined },
): string | undefined {
  if (!text) return undefined;
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError('DATABASE_URL has to start with postgres:// or postgresql://');
  }
  const [whole = '', ...others] = urlsOf(text).map((url) => url.replace('@/', '@localhost/'));
  if (![whole, ...others].every((url) => URL.canParse(url))) {
    throw new ConfigError('DATABASE_URL has to be a URL: # / ? @ in a password are written %23 %2F %3F %40');
  }
  const { search, searchParams } = new URL(whole);
  const attributes = new URLSearchParams(text.split('?')[1]).get('target_session_attrs');
  if (attributes) oneOf('DATABASE_URL with target_session_attrs', attributes, SESSION_ATTRIBUTES);
  const sslmode = searchParams.getAll('sslmode').at(-1);
  if (sslmode) oneOf('DATABASE_URL with sslmode', sslmode, SSL_MODES);
  if (otherwise.sslmode) oneOf('PGSSLMODE', otherwise.sslmode, SSL_MODES);
  if (!otherwise.options || searchParams.has('options')) return text;
  return `${text}${search ? '&' : '?'}options=${encodeURIComponent(otherwise.options)}`;
}

export function readRedisUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!/^rediss?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) {
    throw new ConfigError('REDIS_URL has to start with redis:// or rediss://');
  }
  const { pathname, username, password } = new URL(text);
  if (!/^\/?\d*$/.test(pathname) || !isEncoded(username) || !isEncoded(password)) {
    throw new ConfigError(
      'REDIS_URL has to be redis://[user:password@]host[:port][/number], percent-encoded',
    );
  }
  return text;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function readMasterKey(name: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32 || !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) {
    throw new ConfigError(`${name} has to be 32 bytes in base64 (openssl rand -base64 32)`);
  }
  return key;
}

/** Shorter tokens are refused with a server database, otherwise warned about (contract, section 17). */
export const OPERATIONS_TOKEN_LENGTH = 24;

export function readOperationsToken(
  text: string | undefined,
  { isServed }: { isServed: boolean },
): string | undefined {
  if (!text) return undefined;
  // Clients encode other characters differently.
  if (!/^[!-~]+$/.test(text))
    throw new ConfigError('OPERATIONS_TOKEN has to be ASCII characters without a space');
  if (isServed && text.length < OPERATIONS_TOKEN_LENGTH) {
    throw new ConfigError(
      `OPERATIONS_TOKEN has to have at least ${OPERATIONS_TOKEN_LENGTH} characters with DATABASE_URL (openssl rand -base64 32)`,
    );
  }
  return text;
}

/** SPIFFE-ID, section 2.1. */
export function readTrustDomain(text: string): string {
  if (!/^[a-z0-9._-]{1,255}$/.test(text)) {
    throw new ConfigError(`TRUST_DOMAIN has to be lower-case letters, digits, dots, dashes and underscores`);
  }
  return text;
}

/** Split at spaces, without quoting. Runtimes start in `/`, so paths must be absolute. */
export function readRuntimeCommand(text: string | undefined): string[] | undefined {
  if (!text) return undefined;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const [program = ''] = words;
  if (program === '' || (program.includes('/') && !isAbsolute(program))) {
    throw new ConfigError('RUNTIME_COMMAND has to begin with a program: a name in PATH, or an absolute path');
  }
  return words;
}
