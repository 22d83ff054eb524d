import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import {
  listEndpointsOfNumbers,
  listLatestSecrets,
  listSecretsOfAccounts,
  noteVerified,
  type SealedAppSecret,
} from './app-secrets.db.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import type { WebhookPayload } from './webhook-payload.ts';
import { appSecretContext, MOST_TRIED, type SignedBytes } from './webhook-signature.ts';

const KEPT = 10_000;
/**
 * Copies are not notified of changed secrets, so an entry expires. Its age counts from the start of the query, because the
 * secret may change from the moment it is read.
 */
const TTL_MS = 1000;
/** Yield to the event loop after this many secrets: each takes about a millisecond for 1 MiB. */
const TRIED_AT_ONCE = 10;

export interface SigningEndpoint {
  id: string;
  tenant_id: string;
  phone_number_id: string;
  /** Hex. */
  app_secret_hash: string;
}

/** The parts of a payload that determine which secrets may have signed it. */
export type PayloadOrigin = Pick<WebhookPayload, 'phone_number_ids' | 'account_ids'>;

interface Secret {
  app_secret_hash: string;
  app_secret: Buffer;
}

/**
 * Finds the endpoints whose secret signed a payload. Matches are cached for a second, so that a busy number is not looked up
 * for each message. The cache never rejects a payload, and insertMessages checks that the secret is still the endpoint's.
 */
export class SigningEndpoints {
  readonly #channel: Channel;
  readonly #services: { db: Database; keyring: Keyring };
  readonly #known = new LRUCache<string, SigningEndpoint & Secret>({ max: KEPT, ttl: TTL_MS });

  constructor(services: { db: Database; keyring: Keyring }, channel: Channel) {
    this.#services = services;
    this.#channel = channel;
  }

  /**
   * @returns the endpoints that the payload is for; empty when none of its numbers is registered but a registered secret
   * signed it; undefined when none of the tried secrets did (contract, section 17)
   */
  find(
    origin: PayloadOrigin,
    signed: SignedBytes,
  ): Promise<SigningEndpoint[] | undefined> | SigningEndpoint[] {
    return this.#remembered(origin, signed) ?? this.findAnew(origin, signed);
  }

  async findAnew(origin: PayloadOrigin, signed: SignedBytes): Promise<SigningEndpoint[] | undefined> {
    const { phone_number_ids, account_ids } = origin;
    if (phone_number_ids.length === 0) return this.#findUnnamed(origin, signed);
    const start = performance.now();
    const { system } = this.#services.db;
    const named = await system.run(listEndpointsOfNumbers(this.#channel, phone_number_ids, MOST_TRIED));
    if (named.length === 0) return this.#findUnnamed(origin, signed);
    const secret = await this.#secretOf(signed, named);
    if (!secret) return undefined;
    const own = named.filter(({ app_secret_hash }) => hex(app_secret_hash) === secret.app_secret_hash);
    await this.#note(own, account_ids);
    return own.map(({ id, tenant_id, phone_number_id }) => {
      const { app_secret_hash } = secret;
      this.#known.set(phone_number_id, { id, tenant_id, phone_number_id, ...secret }, { start });
      return { id, tenant_id, phone_number_id, app_secret_hash };
    });
  }

  /** Without a registered number: tries the secrets of the business accounts, then the most recently verified. */
  async #findUnnamed({ account_ids }: PayloadOrigin, signed: SignedBytes): Promise<[] | undefined> {
    const [ofAccounts, latest] = await this.#services.db.system.run(
      listSecretsOfAccounts(this.#channel, account_ids, MOST_TRIED),
      listLatestSecrets(this.#channel, MOST_TRIED),
    );
    const candidates = [...ofAccounts, ...latest];
    const secret = await this.#secretOf(signed, candidates);
    if (!secret) return undefined;
    const own = candidates.filter(({ app_secret_hash }) => hex(app_secret_hash) === secret.app_secret_hash);
    await this.#note(own, account_ids);
    return [];
  }

  async #secretOf(signed: SignedBytes, sealed: readonly SealedAppSecret[]): Promise<Secret | undefined> {
    const { db, keyring } = this.#services;
    const seen = new Set<string>();
    for (const { id, tenant_id, sealed_app_secret, ...row } of sealed) {
      const app_secret_hash = hex(row.app_secret_hash);
      if (seen.has(app_secret_hash)) continue;
      if (seen.size === MOST_TRIED) break;
      seen.add(app_secret_hash);
      const opening = keyring.open(db.tenant(tenant_id), sealed_app_secret, appSecretContext(id));
      const opened = await openedOr(opening, undefined);
      if (opened === undefined) continue;
      const app_secret = Buffer.from(opened);
      if (signed.isSignedWith(app_secret_hash, app_secret)) return { app_secret_hash, app_secret };
      if (seen.size % TRIED_AT_ONCE === 0) await setImmediate();
    }
    return undefined;
  }

  /** At most once a minute per endpoint, to save a write per message. */
  async #note(endpoints: readonly SealedAppSecret[], account_ids: readonly string[]): Promise<void> {
    const due = endpoints.filter(({ is_due }) => is_due).map(({ id }) => id);
    if (due.length > 0) await this.#services.db.system.run(noteVerified(due, account_ids));
  }

  /** undefined unless all numbers are cached with the secret that signed, since one of them may have changed. */
  #remembered({ phone_number_ids }: PayloadOrigin, signed: SignedBytes): SigningEndpoint[] | undefined {
    const endpoints: SigningEndpoint[] = [];
    for (const number of phone_number_ids) {
      const known = this.#known.get(number);
      const first = endpoints[0] ?? known;
      if (!known || known.app_secret_hash !== first?.app_secret_hash) return undefined;
      if (!signed.isSignedWith(known.app_secret_hash, known.app_secret)) return undefined;
      endpoints.push(known);
    }
    return endpoints.length > 0 ? endpoints : undefined;
  }
}

const hex = (hash: Buffer) => hash.toString('hex');
