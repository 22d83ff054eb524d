import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import type { Keyring } from '../secrets/keyring.ts';
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
/** Counted from the question on: nobody says when a secret is replaced. */
const TTL_MS = 1000;
/** How many secrets are tried before others get a turn: 1 MiB takes about a millisecond each. */
const TRIED_AT_ONCE = 10;

/** An endpoint whose secret signed something. */
export interface SigningEndpoint {
  id: string;
  tenant_id: string;
  phone_number_id: string;
  /** Hex. */
  app_secret_hash: string;
}

/** The parts of a payload that say which secrets may have signed it. */
export type Sender = Pick<WebhookPayload, 'phone_number_ids' | 'account_ids'>;

interface Secret {
  app_secret_hash: string;
  app_secret: Buffer;
}

/**
 * Finds the endpoints of a channel whose secret signed a payload. Those that did are remembered for a second, so that a
 * busy number is not looked up for each message. What is remembered can only say yes, and whoever stores a message for
 * an endpoint has the database look again whether the secret is still its own (insertMessages).
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
   * The endpoints that a payload is for: none where none of its numbers is registered, and a registered secret signed it
   * nevertheless.
   * @returns undefined when no secret that counts signed it (contract, section 17)
   */
  find(sender: Sender, signed: SignedBytes): Promise<SigningEndpoint[] | undefined> | SigningEndpoint[] {
    return this.#remembered(sender, signed) ?? this.findAnew(sender, signed);
  }

  async findAnew(sender: Sender, signed: SignedBytes): Promise<SigningEndpoint[] | undefined> {
    const { phone_number_ids, account_ids } = sender;
    if (phone_number_ids.length === 0) return this.#findUnnamed(sender, signed);
    const start = performance.now();
    const { system } = this.#services.db;
    const named = await system.run(listEndpointsOfNumbers(this.#channel, phone_number_ids, MOST_TRIED));
    if (named.length === 0) return this.#findUnnamed(sender, signed);
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

  /** Without a registered number: the secrets of the business account, then the latest. */
  async #findUnnamed({ account_ids }: Sender, signed: SignedBytes): Promise<[] | undefined> {
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

  /** The secret that signed the bytes. */
  async #secretOf(signed: SignedBytes, sealed: readonly SealedAppSecret[]): Promise<Secret | undefined> {
    const { db, keyring } = this.#services;
    const seen = new Set<string>();
    for (const { id, tenant_id, sealed_app_secret, ...row } of sealed) {
      const app_secret_hash = hex(row.app_secret_hash);
      if (seen.has(app_secret_hash)) continue;
      if (seen.size === MOST_TRIED) break;
      seen.add(app_secret_hash);
      const opened = await keyring.open(db.tenant(tenant_id), sealed_app_secret, appSecretContext(id));
      const app_secret = Buffer.from(opened);
      if (signed.isSignedWith(app_secret_hash, app_secret)) return { app_secret_hash, app_secret };
      if (seen.size % TRIED_AT_ONCE === 0) await setImmediate();
    }
    return undefined;
  }

  /** A minute apart, so that messages do not cost a write each. */
  async #note(endpoints: readonly SealedAppSecret[], account_ids: readonly string[]): Promise<void> {
    const due = endpoints.filter(({ is_due }) => is_due).map(({ id }) => id);
    if (due.length > 0) await this.#services.db.system.run(noteVerified(due, account_ids));
  }

  /** undefined unless all of the numbers are known with the secret that signed: one of them may have changed. */
  #remembered({ phone_number_ids }: Sender, signed: SignedBytes): SigningEndpoint[] | undefined {
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
