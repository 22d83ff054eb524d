import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../db/database.ts';
import { insertServiceKey, listServiceKeys } from '../db/service-keys.ts';
import { findTenantKey } from '../db/tenants.ts';
import { notFound } from '../errors.ts';
import { deriveKey, hmac, type Key, newKey, open, seal } from './sealing.ts';

/** The service's own keys, by what they are for. */
const SERVICE_KEYS = ['access-token', 'refresh-token', 'lookup', 'pin-pepper'] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

const tenantContext = (tenant_id: string) => `tenant-key:${tenant_id}`;
const serviceContext = (id: string) => `service-key:${id}`;

/**
 * Every key but MASTER_KEY is random, stands in the database wrapped by MASTER_KEY, and can so be kept when
 * MASTER_KEY changes. Secrets of a tenant are sealed under the tenant's own key (contract, section 8).
 */
export class Keyring {
  readonly #wrappingKey: Key;
  readonly #serviceKeys: ReadonlyMap<string, Key>;
  readonly #tenantKeys = new LRUCache<string, Key>({ max: 10_000 });

  private constructor(wrappingKey: Key, serviceKeys: ReadonlyMap<string, Key>) {
    this.#wrappingKey = wrappingKey;
    this.#serviceKeys = serviceKeys;
  }

  /** Makes the service keys that are missing. Two copies starting at once end up with the same ones. */
  static async open(db: Database, masterKey: Key): Promise<Keyring> {
    const wrappingKey = deriveKey(masterKey, 'wrapping');
    for (const id of SERVICE_KEYS) {
      await insertServiceKey(db.system, id, seal(wrappingKey, newKey(), serviceContext(id)));
    }
    const rows = await listServiceKeys(db.system);
    const keys = rows.map(({ id, wrapped_key }): [string, Key] => {
      try {
        return [id, open(wrappingKey, wrapped_key, serviceContext(id))];
      } catch (error) {
        throw new Error('MASTER_KEY is not the one that this database was made with', { cause: error });
      }
    });
    return new Keyring(wrappingKey, new Map(keys));
  }

  serviceKey(id: ServiceKey): Key {
    return this.#serviceKeys.get(id) as Key;
  }

  /** A data key for a new tenant, wrapped. */
  newTenantKey(tenant_id: string): Buffer {
    return seal(this.#wrappingKey, newKey(), tenantContext(tenant_id));
  }

  async seal(q: Queryable, tenant_id: string, plaintext: string, context: string): Promise<Buffer> {
    return seal(await this.#tenantKey(q, tenant_id), plaintext, context);
  }

  async open(q: Queryable, tenant_id: string, sealed: Buffer, context: string): Promise<string> {
    return open(await this.#tenantKey(q, tenant_id), sealed, context).toString();
  }

  /** For a secret of the service itself: wrapped by MASTER_KEY as the keys are. */
  sealServiceSecret(plaintext: string, context: string): Buffer {
    return seal(this.#wrappingKey, plaintext, context);
  }

  openServiceSecret(sealed: Buffer, context: string): string {
    return open(this.#wrappingKey, sealed, context).toString();
  }

  /** A keyed hash to find a secret text by, without keeping the text. */
  lookupHash(purpose: string, text: string): Buffer {
    return hmac(this.serviceKey('lookup'), `${purpose}:${text}`);
  }

  async #tenantKey(q: Queryable, tenant_id: string): Promise<Key> {
    let key = this.#tenantKeys.get(tenant_id);
    if (!key) {
      const wrapped = await findTenantKey(q, tenant_id);
      if (!wrapped) throw notFound('Tenant');
      key = open(this.#wrappingKey, wrapped, tenantContext(tenant_id));
      this.#tenantKeys.set(tenant_id, key);
    }
    return key;
  }
}
