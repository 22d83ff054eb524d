import { readFile } from 'node:fs/promises';

/** A token may be rotated at any time. */
const FRESH_MS = 60_000;

/** How a cluster is reached and who asks. */
export interface ClusterAccess {
  /** `https://host:port`, perhaps with a path. */
  url: string;
  /** PEM; no other authority counts. */
  ca: () => Promise<string>;
  token: () => Promise<string>;
  /** The namespace of runtimes. */
  namespace: () => Promise<string>;
}

export interface Credentials {
  ca: string;
  token: string;
}

/** Contents of a file that others may replace. */
export const fileContents = (path: string) => async () => (await readFile(path, 'utf8')).trim();

/** Reads the token and the authority anew each minute. */
export class FreshCredentials {
  readonly #access: ClusterAccess;
  #read: { at: number; credentials: Promise<Credentials> } | undefined;

  constructor(access: ClusterAccess) {
    this.#access = access;
  }

  get(): Promise<Credentials> {
    const now = performance.now();
    if (this.#read && now - this.#read.at < FRESH_MS) return this.#read.credentials;
    const credentials = this.#readAnew();
    this.#read = { at: now, credentials };
    credentials.catch(() => this.forget());
    return credentials;
  }

  /** The API server has refused them. */
  forget(): void {
    this.#read = undefined;
  }

  async #readAnew(): Promise<Credentials> {
    const [ca, token] = await Promise.all([this.#access.ca(), this.#access.token()]);
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('The token of the cluster is empty or no token');
    return { ca, token };
  }
}
