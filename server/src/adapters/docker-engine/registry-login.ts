import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_BYTES = 1024 * 1024;

interface Login {
  auth?: string;
  username?: string;
  password?: string;
  identitytoken?: string;
}

/**
 * The value of X-Registry-Auth, by `auths` of config.json in the directory of DOCKER_CONFIG; credential helpers are
 * programs and are not asked. undefined: no login is known.
 * @param defaultRegistry the key of images that name no registry, as the daemon tells it
 */
export async function registryLogin(
  directory: string,
  image: string,
  defaultRegistry: string,
): Promise<string | undefined> {
  const path = join(directory, 'config.json');
  if ((await stat(path)).size > MAX_BYTES) throw new Error('config.json of DOCKER_CONFIG is too large');
  const { auths = {} } = JSON.parse(await readFile(path, 'utf8')) as { auths?: Record<string, Login> };
  const registry = hostOf(registryOf(image) ?? defaultRegistry);
  const [, login] = Object.entries(auths).find(([key]) => hostOf(key) === registry) ?? [];
  if (!login || registry === '') return undefined;
  const serveraddress = registryOf(image) ?? defaultRegistry;
  if (login.identitytoken) return encode({ identitytoken: login.identitytoken, serveraddress });
  const [, username = login.username, password = login.password] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(login.auth ?? '', 'base64').toString()) ?? [];
  return username ? encode({ username, password, serveraddress }) : undefined;
}

/** undefined: the image is of the daemon's default registry. */
export function registryOf(image: string): string | undefined {
  const [first = '', ...others] = image.split('/');
  const isHost = /[.:]/.test(first) || first === 'localhost';
  return others.length > 0 && isHost ? first : undefined;
}

/** Keys are hosts, or URLs with a path. */
const hostOf = (key: string) =>
  key
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
    .toLowerCase();

const encode = (login: object) => Buffer.from(JSON.stringify(login)).toString('base64url');
