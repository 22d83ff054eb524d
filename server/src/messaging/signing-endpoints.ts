import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import { tryAgain } from '../platform/errors.ts';
import { Semaphore } from '../platform/load/semaphore.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import { listEndpointsOfNumbers } from './channel-endpoints.db.ts';
import { endpointsThatSigned, isSignedByAny, isSignedWith, type Signed } from './webhook-signature.ts';

const KEPT = 10_000;
/** Counted from the question on: nobody says when a secret is replaced. */
const TTL_MS = 1000;
/** Payloads that name no registered number, and are to be held against every secret there is. */
const MAX_WAITING = 19;

/** An endpoint whose secret signed something. */
export interface SigningEndpoint {
  id: string;
  phone_number_id: string;
  /** Hex. */
  app_secret_hash: string;
}

/** What endpoints of the numbers in a payload there are, and which of them have the secret that signed it. */
export interface Signers {
  areNamed: boolean;
  signed: readonly SigningEndpoint[];
}

/**
 * Finds the endpoints of a channel whose secret signed a payload. Those that did are remembered for a second, so that a
 * busy number is not looked up for each message. What is remembered can only say yes, and whoever stores a message for
 * an endpoint has the database look again whether the secret is still its own (insertMessages).
 */
export class SigningEndpoints {
  readonly #channel: Channel;
  readonly #services: { db: Database; keyring: Keyring };
  readonly #known = new LRUCache<string, SigningEndpoint & { app_secret: Buffer }>({
    max: KEPT,
    ttl: TTL_MS,
  });
  readonly #searches = new Semaphore(1, {
    maxWaiting: MAX_WAITING,
    refusal: () => tryAgain('Too many payloads without a registered number at once; try again'),
  });

  constructor(services: { db: Database; keyring: Keyring }, channel: Channel) {
    this.#services = services;
    this.#channel = channel;
  }

  find(phone_number_ids: readonly string[], signed: Signed): Promise<Signers> | Signers {
    return this.#remembered(phone_number_ids, signed) ?? this.findAnew(phone_number_ids, signed);
  }

  async findAnew(phone_number_ids: readonly string[], signed: Signed): Promise<Signers> {
    if (phone_number_ids.length === 0) return { areNamed: false, signed: [] };
    const start = performance.now();
    const { system } = this.#services.db;
    const named = await system.run(listEndpointsOfNumbers(this.#channel, phone_number_ids));
    const signers = (await endpointsThatSigned(this.#services, signed, named)).map(
      ({ id, phone_number_id, app_secret_hash, app_secret }) => ({
        id,
        phone_number_id,
        app_secret_hash: app_secret_hash.toString('hex'),
        app_secret,
      }),
    );
    for (const signer of signers) this.#known.set(signer.phone_number_id, signer, { start });
    return { areNamed: named.length > 0, signed: signers };
  }

  /**
   * Whether any endpoint's secret signed what names none of them. Anybody can ask for that, and it may cost seconds, so
   * one is looked into at a time; 503 past those that may wait.
   */
  isAnyones(signed: Signed): Promise<boolean> {
    return this.#searches.run(() => isSignedByAny(this.#services, this.#channel, signed));
  }

  /** undefined unless all of the numbers are known, and with the secret that signed: one of them may have changed. */
  #remembered(phone_number_ids: readonly string[], signed: Signed): Signers | undefined {
    const endpoints: SigningEndpoint[] = [];
    let verified: string | undefined;
    for (const number of phone_number_ids) {
      const known = this.#known.get(number);
      if (!known) return undefined;
      if (known.app_secret_hash !== verified && !isSignedWith(known.app_secret, signed)) return undefined;
      verified = known.app_secret_hash;
      endpoints.push(known);
    }
    return endpoints.length > 0 ? { areNamed: true, signed: endpoints } : undefined;
  }
}
