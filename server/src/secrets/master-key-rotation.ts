import { isForeignKeyViolation } from '../platform/db/constraint-errors.ts';
import type { Database } from '../platform/db/database.ts';
import type { Query } from '../platform/db/sql.ts';
import { conflict } from '../platform/errors.ts';
import { Semaphore } from '../platform/load/semaphore.ts';
import type { Log } from '../platform/ports.ts';
import { chainHeadContext } from './chain-heads.ts';
import { caKeyContext, serviceKeyContext, tenantKeyContext } from './keyring.ts';
import type { MasterKeyStore } from './master-key-store.port.ts';
import {
  countUnderOthers,
  deleteEarlierMasterKeys,
  type IdPage,
  listCaKeysUnderOthers,
  listChainHeadsUnderOthers,
  listMasterKeyIds,
  listServiceKeysUnderOthers,
  listTenantKeysUnderOthers,
  recordMasterKey,
  replaceChainHead,
  replaceServiceKey,
  type WrappedRow,
} from './master-keys.db.ts';
import { MasterKeys } from './master-keys.ts';
import { newKey } from './sealing.ts';

/** False when the value has changed since it was read. */
type Replace = (row: WrappedRow, wrapped: Buffer) => Query<boolean>;

/** Provided by the rooms that own the tables. */
type Replacements = Record<'tenant_keys' | 'ca_keys', Replace>;

interface Table {
  name: keyof RewrapCounts;
  context: (id: string) => string;
  list: (master_key_id: Buffer, page: IdPage) => Query<WrappedRow[]>;
  replace: Replace;
}

type RewrapCounts = Record<'tenant_keys' | 'ca_keys' | 'chain_heads' | 'service_keys', number>;

/**
 * Service keys come last: every start opens all of them, so a process without the earlier master key cannot start while
 * other values may need it. Values of an old version do not name their key.
 */
const listTables = (replace: Replacements): readonly Table[] => [
  {
    name: 'tenant_keys',
    context: tenantKeyContext,
    list: listTenantKeysUnderOthers,
    replace: replace.tenant_keys,
  },
  {
    name: 'ca_keys',
    context: caKeyContext,
    list: listCaKeysUnderOthers,
    replace: replace.ca_keys,
  },
  {
    name: 'chain_heads',
    context: chainHeadContext,
    list: listChainHeadsUnderOthers,
    replace: replaceChainHead,
  },
  {
    name: 'service_keys',
    context: serviceKeyContext,
    list: listServiceKeysUnderOthers,
    replace: replaceServiceKey,
  },
];

/** `remaining`: values under another master key. */
export type Rewrapped = RewrapCounts & { remaining: number };

/** Values per transaction; no batch but the first begins after `timeMs`. */
const LIMITS = { batch: 200, timeMs: 20_000 };

const noneRewrapped = (): RewrapCounts => ({
  tenant_keys: 0,
  ca_keys: 0,
  chain_heads: 0,
  service_keys: 0,
});

const GIVEN_BY_SETTING =
  'The master key is set by MASTER_KEY, so it is changed there. Give every copy of the service the new one in MASTER_KEY_PREVIOUS; then every copy the new one as MASTER_KEY and the old one in MASTER_KEY_PREVIOUS; then POST /internal/v1/master-key/rewrap; then drop MASTER_KEY_PREVIOUS';
const COPY_BEHIND =
  'Another copy of the service was started later with another MASTER_KEY. Start every copy with the one that is to stay, then call again';

interface RotationServices {
  db: Database;
  masterKeys: MasterKeys;
  log: Log;
}

/** See docs/decisions/0011-master-key-rotation.md. */
export class MasterKeyRotation {
  readonly #services: RotationServices;
  readonly #tables: readonly Table[];
  readonly #store: MasterKeyStore | undefined;
  readonly #mutex = new Semaphore(1);

  /** `store`: undefined where settings contain the keys. */
  constructor(services: RotationServices, replacements: Replacements, store: MasterKeyStore | undefined) {
    this.#services = services;
    this.#tables = listTables(replacements);
    this.#store = store;
  }

  /**
   * When nothing remains, earlier keys are retired. Idempotent and safe to run concurrently. ServiceError conflict when
   * another process wraps with another key.
   */
  rewrap(limits = LIMITS): Promise<Rewrapped> {
    return this.#mutex.run(() => this.#rewrap(limits));
  }

  /** Also continues an unfinished rotation. */
  rotate(limits = LIMITS): Promise<Rewrapped> {
    return this.#mutex.run(async () => {
      if (!this.#store) throw conflict(GIVEN_BY_SETTING);
      if (this.#services.masterKeys.all.length === 1) await this.#adoptNewKey(this.#store);
      return this.#rewrap(limits);
    });
  }

  async finish(): Promise<void> {
    if (this.#store && this.#services.masterKeys.all.length > 1) await this.rewrap();
  }

  /** Stored, recorded, then used: after a crash in between, every value still opens. */
  async #adoptNewKey(store: MasterKeyStore): Promise<void> {
    const { db, masterKeys } = this.#services;
    const key = newKey();
    await store.add(key);
    await db.system.run(recordMasterKey(new MasterKeys(key).currentId));
    masterKeys.adopt(key);
  }

  async #rewrap({ batch, timeMs }: typeof LIMITS): Promise<Rewrapped> {
    const { db, masterKeys, log } = this.#services;
    const { currentId } = masterKeys;
    const q = db.system;
    const [latest] = await q.run(listMasterKeyIds());
    if (!latest?.equals(currentId)) throw conflict(COPY_BEHIND);
    const untilMs = performance.now() + timeMs;
    const done: Rewrapped = { ...noneRewrapped(), remaining: 0 };
    let hasMoved: boolean;
    do {
      const pass = await this.#rewrapOnce(batch, untilMs);
      for (const { name } of this.#tables) done[name] += pass[name];
      hasMoved = Object.values(pass).some((count) => count > 0);
      done.remaining = await q.run(countUnderOthers(currentId));
      if (done.remaining === 0 && !(await this.#retireEarlierKeys())) {
        // A transaction with an earlier key has committed since.
        done.remaining = await q.run(countUnderOthers(currentId));
      }
    } while (done.remaining > 0 && hasMoved && performance.now() < untilMs);
    if (done.remaining === 0) await this.#dropOthers();
    log.info(done, 'keys were wrapped anew by the current master key');
    return done;
  }

  async #rewrapOnce(limit: number, untilMs: number): Promise<RewrapCounts> {
    const { db, masterKeys } = this.#services;
    const counts = noneRewrapped();
    let isFirst = true;
    for (const table of this.#tables) {
      let rows: WrappedRow[];
      let after: string | undefined;
      do {
        if (!isFirst && performance.now() >= untilMs) return counts;
        rows = await db.system.run(table.list(masterKeys.currentId, { after, limit }));
        counts[table.name] += await this.#rewrapRows(table, rows);
        after = rows.at(-1)?.id;
        isFirst &&= rows.length === 0;
      } while (rows.length === limit);
    }
    return counts;
  }

  /** In the order of ids, so concurrent rewraps cannot deadlock. A value that does not open stays. */
  async #rewrapRows({ name, context, replace }: Table, rows: readonly WrappedRow[]): Promise<number> {
    const { db, masterKeys, log } = this.#services;
    const replacements = rows.flatMap((row) => {
      const plaintext = tryUnwrap(masterKeys, row, context(row.id));
      if (!plaintext) log.error({ [name]: row.id }, 'a wrapped key does not open');
      return plaintext ? [replace(row, masterKeys.wrap(plaintext, context(row.id)))] : [];
    });
    return (await db.system.runAll(replacements)).filter(Boolean).length;
  }

  /** @returns false while an earlier key still wraps a value */
  async #retireEarlierKeys(): Promise<boolean> {
    const { db, masterKeys } = this.#services;
    try {
      await db.system.run(deleteEarlierMasterKeys(masterKeys.currentId));
      return true;
    } catch (error) {
      if (isForeignKeyViolation(error)) return false;
      throw error;
    }
  }

  async #dropOthers(): Promise<void> {
    const { masterKeys } = this.#services;
    const [current, ...others] = masterKeys.all;
    if (!this.#store || !current || others.length === 0) return;
    await this.#store.keepOnly(current);
    masterKeys.dropOthers();
  }
}

function tryUnwrap(masterKeys: MasterKeys, { wrapped }: WrappedRow, context: string): Buffer | undefined {
  try {
    return masterKeys.unwrap(wrapped, context);
  } catch {
    return undefined;
  }
}
