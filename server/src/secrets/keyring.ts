import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { notFound } from '../platform/errors.ts';
import { listMasterKeyIds, takeMasterKey } from './master-keys.db.ts';
import type { MasterKeys } from './master-keys.ts';
import { hmac, type Key, newKey, open, seal } from './sealing.ts';
import { findTenantKey, insertServiceKey, listServiceKeys } from './wrapped-keys.db.ts';

/** The service's own keys, by what they are for. */
const SERVICE_KEYS = ['access-token', 'refresh-token', 'lookup', 'pin-pepper', 'tool-calls'] as const;
export type ServiceKey = (typeof SERVICE_KEYS)[number];

export const tenantKeyContext = (tenant_id: string) => `tenant-key:${tenant_id}`;
export const serviceKeyContext = (id: string) => `service-key:${id}`;
export const caKeyContext = (id: string) => `ca-key:${id}`;

/**
 * Envelope encryption: every key but MASTER_KEY is random, stands in the database wrapped by MASTER_KEY, and can so be
 * kept when MASTER_KEY changes. Secrets of a tenant are sealed under the tenant's own key (contract, section 8).
 */
export class Keyring {
  readonly #masterKeys: MasterKeys;
  readonly #serviceKeys: ReadonlyMap<string, Key>;
  readonly #tenantKeys = new LRUCache<string, Key>({ max: 10_000 });

  private constructor(masterKeys: MasterKeys, serviceKeys: ReadonlyMap<string, Key>) {
    this.#masterKeys = masterKeys;
    this.#serviceKeys = serviceKeys;
  }

  /**
   * Makes the service keys that are missing. Two copies starting at once end up with the same ones. Nothing is written
   * where a master key is missing that something stands under: an Error in one line that names the setting.
   */
  static async open(db: Database, masterKeys: MasterKeys): Promise<Keyring> {
    await refuseWhereOneIsMissing(db, masterKeys);
    const kept = await openServiceKeys(db, masterKeys);
    await takeMasterKey(db.system, masterKeys.currentId);
    const missing = SERVICE_KEYS.filter((id) => !kept.has(id));
    for (const id of missing) {
      await insertServiceKey(db.system, id, masterKeys.wrap(newKey(), serviceKeyContext(id)));
    }
    return new Keyring(masterKeys, missing.length === 0 ? kept : await openServiceKeys(db, masterKeys));
  }

  serviceKey(id: ServiceKey): Key {
    return this.#serviceKeys.get(id) as Key;
  }

  /** A data key for a new tenant, wrapped. */
  newTenantKey(tenant_id: string): Buffer {
    return this.#masterKeys.wrap(newKey(), tenantKeyContext(tenant_id));
  }

  /** Under the key of the queryable's tenant. */
  async seal(q: TenantQueryable, plaintext: string, context: string): Promise<Buffer> {
    return seal(await this.#tenantKey(q), plaintext, context);
  }

  async open(q: TenantQueryable, sealed: Buffer, context: string): Promise<string> {
    return open(await this.#tenantKey(q), sealed, context).toString();
  }

  /** For a secret of the service itself: wrapped by MASTER_KEY as the keys are. */
  sealServiceSecret(plaintext: string, context: string): Buffer {
    return this.#masterKeys.wrap(plaintext, context);
  }

  openServiceSecret(sealed: Buffer, context: string): string {
    return this.#masterKeys.unwrap(sealed, context).toString();
  }

  /** A keyed hash to find a secret text by, without keeping the text. */
  lookupHash(purpose: string, text: string): Buffer {
    return hmac(this.serviceKey('lookup'), `${purpose}:${text}`);
  }

  async #tenantKey(q: TenantQueryable): Promise<Key> {
    const { tenant_id } = q;
    let key = this.#tenantKeys.get(tenant_id);
    if (!key) {
      const wrapped = await findTenantKey(q, tenant_id);
      if (!wrapped) throw notFound('Tenant');
      key = this.#masterKeys.unwrap(wrapped, tenantKeyContext(tenant_id));
      this.#tenantKeys.set(tenant_id, key);
    }
    return key;
  }
}

async function refuseWhereOneIsMissing(db: Database, masterKeys: MasterKeys): Promise<void> {
  const ids = await listMasterKeyIds(db.system);
  if (ids.every((id) => masterKeys.holds(id))) return;
  throw new Error(
    ids.some((id) => masterKeys.holds(id))
      ? 'MASTER_KEY_PREVIOUS does not hold every key that the database is still under (drop one after a rewrap that leaves nothing)'
      : 'MASTER_KEY is not the one that this database was made with, and MASTER_KEY_PREVIOUS does not hold it',
  );
}

async function openServiceKeys(db: Database, masterKeys: MasterKeys): Promise<Map<string, Key>> {
  const rows = await listServiceKeys(db.system);
  const keys = rows.map(({ id, wrapped_key }): [string, Key] => {
    try {
      return [id, masterKeys.unwrap(wrapped_key, serviceKeyContext(id))];
    } catch (error) {
      throw new Error('MASTER_KEY is not the one that this database was made with', { cause: error });
    }
  });
  return new Map(keys);
}
