import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What a server on the embedded database writes at its first start: DATA_DIR/credentials.json (contract, section 2). */
export interface LocalServer {
  /** As a person would type it here. */
  readonly path: string;
  readonly base_url: string;
  /** null: it was lost with an earlier file. */
  readonly api_key: string | null;
  readonly operations_token: string;
}

/** @returns undefined where there is no such file, or not a whole one */
export async function findLocalServer(env: Readonly<NodeJS.ProcessEnv>): Promise<LocalServer | undefined> {
  const path = join(env.DATA_DIR || 'data', 'credentials.json');
  try {
    const { base_url, api_key, operations_token } = JSON.parse(await readFile(path, 'utf8'));
    const texts = api_key === null ? [operations_token] : [api_key, operations_token];
    if (!texts.every((text) => typeof text === 'string' && text !== '')) return undefined;
    if (!URL.canParse(base_url)) return undefined;
    return { path: nearby(path), base_url, api_key, operations_token };
  } catch {
    return undefined;
  }
}

function nearby(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : `./${short}`;
}
