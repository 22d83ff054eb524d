import { createHash } from 'node:crypto';
import { auth } from '@googleapis/drive';
import { LRUCache } from 'lru-cache';
import type { DriveConnection } from '../../drive/drive.port.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { retryAfterMs } from '../retry-after.ts';
import { driveFailure } from './content.ts';
import { TransientError } from './retries.ts';

type OAuthClient = InstanceType<typeof auth.OAuth2>;

/** About 1 kB each. An evicted token is requested again. */
const MAX_CLIENTS = 1000;
/** Far more than a token response has; the library has no limit of its own. */
const MAX_ANSWER_BYTES = 64 * 1024;
const TOKEN = /^[\x21-\x7e]+$/;

/** Caches access tokens until they expire. Concurrent callers share one request. */
export class GoogleTokens {
  readonly #tokenUrl: string;
  readonly #timeoutMs: number;
  readonly #clients = new LRUCache<string, OAuthClient>({ max: MAX_CLIENTS });

  constructor(tokenUrl: string, timeoutMs: number) {
    this.#tokenUrl = tokenUrl;
    this.#timeoutMs = timeoutMs;
  }

  async get(connection: DriveConnection): Promise<string> {
    const client = this.#client(connection);
    const { access_token, refresh_token } = client.credentials;
    if (!access_token && !refresh_token) throw credentialsRefused();
    const { token } = await client.getAccessToken().catch((error: unknown) => {
      throw failureOf(error);
    });
    if (typeof token === 'string' && TOKEN.test(token)) return token;
    forget(client);
    throw driveFailure('The drive’s sign-in gave no token');
  }

  /** Drops a token that the drive refused, unless another request has already replaced it. */
  reject(connection: DriveConnection, token: string): void {
    const client = this.#client(connection);
    if (client.credentials.access_token === token) forget(client);
  }

  /** The key includes the credentials, so changed credentials start without the old token. */
  #client({ id, credentials }: DriveConnection): OAuthClient {
    const key = `${id} ${createHash('sha256').update(JSON.stringify(credentials)).digest('base64')}`;
    let client = this.#clients.get(key);
    if (!client) {
      client = this.#newClient(credentials);
      this.#clients.set(key, client);
    }
    return client;
  }

  #newClient(credentials: DriveConnection['credentials']): OAuthClient {
    const text = (name: string) => {
      const value = credentials[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const [clientId, clientSecret] = [text('client_id'), text('client_secret')];
    const [refresh_token, access_token] = [text('refresh_token'), text('access_token')];
    const canRefresh = clientId && clientSecret && refresh_token;
    if (!canRefresh && !access_token) throw driveFailure('The connection’s credentials are not complete');
    const client = new auth.OAuth2({
      ...(clientId && { clientId }),
      ...(clientSecret && { clientSecret }),
      endpoints: { oauth2TokenUrl: this.#tokenUrl },
      transporterOptions: {
        timeout: this.#timeoutMs,
        fetchImplementation: boundedFetch(MAX_ANSWER_BYTES),
        // Otherwise the library parses JSON only when the content type says so.
        responseType: 'json',
        // withRetries retries the whole call; the library must not retry as well.
        retryConfig: { shouldRetry: () => false },
      },
    });
    client.setCredentials({
      ...(canRefresh && { refresh_token }),
      ...(access_token && { access_token }),
    });
    return client;
  }
}

function forget(client: OAuthClient): void {
  const { refresh_token } = client.credentials;
  client.setCredentials(refresh_token ? { refresh_token } : {});
}

export const credentialsRefused = () => driveFailure('The drive refused the connection’s credentials');

/** The library's errors carry the request with its secrets, so only the status is passed on. */
function failureOf(error: unknown): Error {
  const { response, config, code } = error as {
    response?: { status: number; headers: Headers };
    config?: unknown;
    code?: unknown;
  };
  if (response) {
    const { status, headers } = response;
    if (status !== 429 && status < 500) return credentialsRefused();
    const failure = driveFailure(`The drive’s sign-in answered ${status}`);
    return new TransientError(failure, retryAfterMs(headers.get('retry-after')));
  }
  if (!config) return driveFailure('The drive’s sign-in gave no token');
  const failure = driveFailure('The drive’s sign-in did not answer');
  return code === 'TimeoutError' ? failure : new TransientError(failure);
}
