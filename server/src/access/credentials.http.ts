import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../platform/actor.ts';
import type { Credential, Operation } from '../platform/contract/operation.ts';
import type { Database } from '../platform/db/database.ts';
import { type ServiceError, unauthenticated } from '../platform/errors.ts';
import type { Authenticated, Authenticator } from '../platform/http/admission.ts';
import { sha256 } from '../secrets/sealing.ts';
import { API_KEY_START } from '../secrets/secret-formats.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import type { OperationsToken } from './operations-token.ts';
import { findSessionRole } from './sessions.db.ts';
import type { Tokens } from './tokens.ts';

/** By the SHA-256 of the key. */
type FindKeyOwner = (
  hash: Buffer,
) => Promise<{ tenant_id: string; instance_id: string; requires_sender_token: boolean } | undefined>;

interface CredentialServices {
  db: Database;
  tokens: Tokens;
  apiKeys: ApiKeyCache;
  operationsToken: OperationsToken;
  findProxyKeyOwner: FindKeyOwner;
  /** Keys for the model gateway. */
  findLlmKeyOwner: FindKeyOwner;
}

/** Hints in a 401. */
const HINTS: Readonly<Record<Exclude<Credential, 'none' | 'enrollment'>, string>> = {
  tenant: 'this route takes an API key in X-Api-Key, or a user’s access token as bearer token',
  admin: 'this route takes an API key in X-Api-Key, or an admin’s access token as bearer token',
  admin_user: 'this route takes an admin’s access token as bearer token (POST /auth/login), and no API key',
  user: 'this route takes an access token as bearer token (POST /auth/login)',
  optional_user: 'this route takes an access token as bearer token (POST /auth/login), or no credential',
  instance: 'this route takes the instance’s proxy key, or the operations token, as bearer token',
  operations: 'this route takes the operations token as bearer token',
};

const BEARER_KEY_HINT =
  'this route takes an API key in X-Api-Key or as bearer token, or a user’s access token as bearer token';

/** 401 with a hint. Enrollment gives none about its one-time token. */
function notAuthenticated({ credential, bearerKey }: Operation): ServiceError {
  if (credential === 'none' || credential === 'enrollment') return unauthenticated();
  return unauthenticated(`Not authenticated: ${bearerKey ? BEARER_KEY_HINT : HINTS[credential]}`);
}

/** An enrollment token in the body counts only without a credential in the headers. */
const hasNoCredential = (headers: IncomingHttpHeaders): boolean =>
  headers.authorization === undefined && headers['x-api-key'] === undefined;

/** Shared by all sessions of a login (contract, section 17). */
const USER_RATE_LIMIT = { limit: 3000, window_seconds: 60 };

/** Shared by all keys of an instance. */
const RUNTIME_RATE_LIMIT = { limit: 3000, window_seconds: 60 };

export class Credentials implements Authenticator {
  readonly #services: CredentialServices;

  constructor(services: CredentialServices) {
    this.#services = services;
  }

  async authenticate(
    operation: Operation,
    { headers, params, clientAddress }: Pick<FastifyRequest, 'headers' | 'params' | 'clientAddress'>,
  ): Promise<Authenticated> {
    switch (operation.credential) {
      case 'none':
        return { actor: { kind: 'anonymous' } };
      case 'operations':
        return { actor: await this.#operations(headers, clientAddress, operation) };
      case 'enrollment':
        // The body is not read yet; it may contain the enrollment token.
        if (hasNoCredential(headers)) return { actor: { kind: 'anonymous' } };
        return { actor: await this.#instance(headers, params, clientAddress, operation) };
      case 'instance': {
        const actor = await this.#instance(headers, params, clientAddress, operation);
        const isLimited = actor.kind === 'instance' && !operation.isUnlimited;
        return { actor, ...(isLimited && { rateLimit: RUNTIME_RATE_LIMIT }) };
      }
      case 'optional_user':
        if (headers.authorization === undefined) return { actor: { kind: 'anonymous' } };
        return this.#user(headers, operation);
      case 'admin_user':
        return this.#user(headers, operation);
      default:
        return this.#keyOrUser(headers, operation);
    }
  }

  async #operations(headers: IncomingHttpHeaders, address: string, operation: Operation): Promise<Actor> {
    const token = bearerToken(headers);
    if (!token || !(await this.#services.operationsToken.accepts(token, address)))
      throw notAuthenticated(operation);
    return { kind: 'operations' };
  }

  /**
   * Checks the proxy key first, so guesses at the operations token from the runtime's address never block the runtime.
   */
  async #instance(
    headers: IncomingHttpHeaders,
    params: unknown,
    address: string,
    operation: Operation,
  ): Promise<Actor> {
    const { instance_id } = params as { instance_id?: string };
    const token = bearerToken(headers);
    if (!token) throw notAuthenticated(operation);
    const { findProxyKeyOwner, findLlmKeyOwner } = this.#services;
    const isForModels = operation.takesLlmKey && token.startsWith('alk_');
    const owner = await (isForModels ? findLlmKeyOwner : findProxyKeyOwner)(sha256(token));
    if (!owner) return this.#operations(headers, address, operation);
    if (owner.instance_id !== instance_id?.toLowerCase()) throw notAuthenticated(operation);
    return { kind: 'instance', ...owner };
  }

  async #keyOrUser(headers: IncomingHttpHeaders, operation: Operation): Promise<Authenticated> {
    const token = operation.bearerKey ? bearerToken(headers) : undefined;
    const key = headers['x-api-key'] ?? (token?.startsWith(API_KEY_START) ? token : undefined);
    return key === undefined ? this.#user(headers, operation) : this.#apiKey(key);
  }

  async #apiKey(header: string | string[]): Promise<Authenticated> {
    const row = await this.#services.apiKeys.use(typeof header === 'string' ? header : '');
    if (!row) throw unauthenticated('The API key is not valid');
    const { id: key_id, tenant_id, role, scopes, rate_limit: rateLimit } = row;
    return { actor: { kind: 'api_key', tenant_id, key_id, role, scopes }, rateLimit };
  }

  async #user(headers: IncomingHttpHeaders, operation: Operation): Promise<Authenticated> {
    const token = bearerToken(headers);
    const { system } = this.#services.db;
    const claims = token && (await this.#services.tokens.verifyAccess(token, system.now));
    if (!claims) throw notAuthenticated(operation);
    const { sub: user_id, tenant_id, session_id } = claims;
    const session = await system.run(findSessionRole({ id: session_id, tenant_id, user_id }));
    if (!session) throw notAuthenticated(operation);
    const { role, login_id } = session;
    return {
      actor: { kind: 'user', tenant_id, user_id, session_id, role },
      rateLimit: USER_RATE_LIMIT,
      login_id,
    };
  }
}

function bearerToken(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
}
