import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { found } from '../platform/errors.ts';
import { CHAINS, type ChainName, insertChainHead } from './chain-heads.db.ts';
import { CHAIN_START, type ChainHead, chainHeadId, openHead, sealHead } from './chain-heads.ts';
import { findTenantKey, insertServiceKey, listServiceKeys } from './keyring.db.ts';
import { listMasterKeyIds, recordMasterKey } from './master-keys.db.ts';
import type { MasterKeys } from './master-keys.ts';
import { hmac, type Key, newKey, open, seal } from './sealing.ts';
import { Unreadable } from './unreadable.ts';

/** By purpose. */
const SERVICE_KEYS = [
  'access-token',
  'refresh-token',
  'lookup',
  'pin-pepper',
  'tool-calls',
  'changes',
  'llm-providers',
  'clusters',
] as const;
type ServiceKey = (typeof SERVICE_KEYS)[number];

export const tenantKeyContext = (tenant_id: string) => `tenant-key:${tenant_id}`;
export const serviceKeyContext = (id: string) => `service-key:${id}`;
export const caKeyContext = (id: string) => `ca-key:${id}`;

/**
 * Envelope encryption: the master key wraps random keys in the database, so they survive its rotation. Each tenant has
 * its own key (contract, section 8).
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
   * Processes that start at once end up with the same keys.
   * @throws Error in one line that names the setting, before any write, when a master key is missing
   */
  static async open(db: Database, masterKeys: MasterKeys): Promise<Keyring> {
    await requireNeededKeys(db, masterKeys);
    const kept = await openServiceKeys(db, masterKeys);
    await db.system.run(recordMasterKey(masterKeys.currentId));
    const missing = SERVICE_KEYS.filter((id) => !kept.has(id));
    if (missing.length === 0) return new Keyring(masterKeys, kept);
    const newKeys = missing.map((id) =>
      insertServiceKey(id, masterKeys.wrap(newKey(), serviceKeyContext(id))),
    );
    await db.system.runAll<unknown>(newKeys);
    return new Keyring(masterKeys, await openServiceKeys(db, masterKeys));
  }

  serviceKey(id: ServiceKey): Key {
    return this.#serviceKeys.get(id) as Key;
  }

  /** Wrapped. */
  newTenantKey(tenant_id: string): Buffer {
    return this.#masterKeys.wrap(newKey(), tenantKeyContext(tenant_id));
  }

  /** Inserted with the tenant. */
  newChainHeads(tenant_id: string): Query<unknown>[] {
    const head = { begin: CHAIN_START, end: CHAIN_START, isBroken: false };
    return CHAINS.map((chain) => insertChainHead(tenant_id, chain, this.sealHead(tenant_id, chain, head)));
  }

  sealHead(tenant_id: string, chain: ChainName, head: ChainHead): Buffer {
    return sealHead(this.#masterKeys, chainHeadId(tenant_id, chain), head);
  }

  openHead(tenant_id: string, chain: ChainName, sealed: Buffer): ChainHead | undefined {
    return openHead(this.#masterKeys, chainHeadId(tenant_id, chain), sealed);
  }

  /** Under the tenant's key. */
  async seal(q: TenantQueryable, plaintext: string | Buffer, context: string): Promise<Buffer> {
    return seal(await this.#tenantKey(q), plaintext, context);
  }

  /** @throws Unreadable, unless the tenant's key itself cannot be had */
  async open(q: TenantQueryable, sealed: Buffer, context: string): Promise<string> {
    return (await this.openBytes(q, sealed, context)).toString();
  }

  /** Like `open`, for what is no text. */
  async openBytes(q: TenantQueryable, sealed: Buffer, context: string): Promise<Buffer> {
    return opened(await this.#tenantKey(q), sealed, context);
  }

  /** For secrets of the service itself. */
  sealServiceSecret(plaintext: string, context: string): Buffer {
    return this.#masterKeys.wrap(plaintext, context);
  }

  /** @throws Unreadable */
  openUnder(id: ServiceKey, sealed: Buffer, context: string): string {
    return opened(this.serviceKey(id), sealed, context).toString();
  }

  openServiceSecret(sealed: Buffer, context: string): string {
    return this.#masterKeys.unwrap(sealed, context).toString();
  }

  /** Finds a secret that is not stored. */
  lookupHash(purpose: string, text: string): Buffer {
    return hmac(this.serviceKey('lookup'), `${purpose}:${text}`);
  }

  async #tenantKey(q: TenantQueryable): Promise<Key> {
    const { tenant_id } = q;
    let key = this.#tenantKeys.get(tenant_id);
    if (!key) {
      const wrapped = found('Tenant', await q.run(findTenantKey(tenant_id)));
      key = this.#masterKeys.unwrap(wrapped, tenantKeyContext(tenant_id));
      this.#tenantKeys.set(tenant_id, key);
    }
    return key;
  }
}

function opened(key: Key, sealed: Buffer, context: string): Buffer {
  try {
    return open(key, sealed, context);
  } catch (error) {
    throw new Unreadable(`A sealed value cannot be opened: ${context}`, { cause: error });
  }
}

async function requireNeededKeys(db: Database, masterKeys: MasterKeys): Promise<void> {
  const ids = await db.system.run(listMasterKeyIds());
  if (ids.every((id) => masterKeys.holds(id))) return;
  throw new Error(
    ids.some((id) => masterKeys.holds(id))
      ? 'MASTER_KEY_PREVIOUS lacks a key that the database still needs (remove one only after a rewrap that leaves nothing)'
      : 'MASTER_KEY is not the one that this database was made with, and MASTER_KEY_PREVIOUS does not hold it',
  );
}

async function openServiceKeys(db: Database, masterKeys: MasterKeys): Promise<Map<string, Key>> {
  const rows = await db.system.run(listServiceKeys());
  const keys = rows.map(({ id, wrapped_key }): [string, Key] => {
    try {
      return [id, masterKeys.unwrap(wrapped_key, serviceKeyContext(id))];
    } catch (error) {
      throw new Error('MASTER_KEY is not the one that this database was made with', { cause: error });
    }
  });
  return new Map(keys);
}
