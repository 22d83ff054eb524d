import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { DemoError } from './errors.ts';

/** From DATA_DIR/credentials.json, which the server's first start writes (contract, section 2). */
export interface Credentials {
  path: string;
  base_url: string;
  operations_token: string;
  api_key: string;
  admin: { email: string; password: string };
}

const ROOT = resolve(import.meta.dirname, '../..');
const START = 'start the server with "npm start" in another terminal, then try again';

/** From DATA_DIR, by default the repository's `data`. Throws DemoError. */
export async function readCredentials(env: Readonly<NodeJS.ProcessEnv>): Promise<Credentials> {
  const path = nearby(join(env.DATA_DIR ? resolve(env.DATA_DIR) : join(ROOT, 'data'), 'credentials.json'));
  const credentials = parse(path, await readText(path));
  if (!credentials.base_url) throw new DemoError(`${path} has no address yet: ${START}`);
  return { ...credentials, path };
}

function nearby(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : `./${short}`;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new DemoError(`${path} cannot be read (${code})`);
    throw new DemoError(
      `There is no ${path}: ${START} (with the same DATA_DIR, if set, and without DATABASE_URL, which creates no credentials)`,
    );
  }
}

function parse(path: string, text: string): Omit<Credentials, 'path'> {
  const { base_url, operations_token, api_key, admin } = fieldsOf(text);
  if (base_url !== undefined && operations_token && api_key && admin)
    return { base_url, operations_token, api_key, admin };
  if (operations_token && api_key === null) {
    throw new DemoError(
      `The credentials in ${path} have no API key: it was lost with an earlier file. Start the server and the demo with an empty DATA_DIR`,
    );
  }
  throw new DemoError(`${path} is not valid: remove its directory, and ${START}`);
}

type Written = Omit<Credentials, 'path' | 'api_key'> & { api_key: string | null };

function fieldsOf(text: string): Partial<Written> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
