import { conflict } from '../platform/errors.ts';
import { Semaphore } from '../platform/load/semaphore.ts';
import type { MasterKeyStore } from './master-key-store.port.ts';
import {
  countUnderOthers,
  deleteEarlierMasterKeys,
  listMasterKeyIds,
  takeMasterKey,
} from './master-keys.db.ts';
import { MasterKeys } from './master-keys.ts';
import { type RewrapCounts, type RewrapTools, rewrapKeys } from './rewrap-keys.ts';
import { newKey } from './sealing.ts';

/** How many values were brought under the current master key, and how many are not. */
export type Rewrapped = RewrapCounts & { remaining: number };

const LIMITS = { batch: 200, timeMs: 20_000 };

const GIVEN_BY_SETTING =
  'The master key is set by MASTER_KEY, so it is changed there. Give every copy of the service the new one in MASTER_KEY_PREVIOUS; then every copy the new one as MASTER_KEY and the old one in MASTER_KEY_PREVIOUS; then POST /internal/v1/master-key/rewrap; then drop MASTER_KEY_PREVIOUS';
const COPY_BEHIND =
  'Another copy of the service was started later with another MASTER_KEY. Start every copy with the one that is to stay, then call again';

/** Changes the key that everything secret is wrapped by (docs/decisions/0011-master-key-rotation.md). */
export class MasterKeyRotation {
  readonly #tools: RewrapTools;
  readonly #store: MasterKeyStore | undefined;
  /** Within a process there is one current key at a time. */
  readonly #oneAtATime = new Semaphore(1);

  /** `store`: of an installation that has its keys to itself; undefined where they are given by settings. */
  constructor(tools: RewrapTools, store: MasterKeyStore | undefined) {
    this.#tools = tools;
    this.#store = store;
  }

  /**
   * Brings everything under the current master key that is not; when nothing remains, the others are out of use.
   * Several at once are harmless, and what one that was killed left is done by the next. Ends after `timeMs`, with
   * something remaining, if need be. ServiceError conflict where another copy wraps with another key.
   */
  rewrap(limits = LIMITS): Promise<Rewrapped> {
    return this.#oneAtATime.run(() => this.#rewrap(limits));
  }

  /** Replaces the installation's own master key by a new one, or goes on with the replacement before. */
  rotate(limits = LIMITS): Promise<Rewrapped> {
    return this.#oneAtATime.run(async () => {
      if (!this.#store) throw conflict(GIVEN_BY_SETTING);
      if (this.#tools.masterKeys.all.length === 1) await this.#takeUpNewKey(this.#store);
      return this.#rewrap(limits);
    });
  }

  /** Goes on with a rotation that an earlier process did not end. */
  async finish(): Promise<void> {
    if (this.#store && this.#tools.masterKeys.all.length > 1) await this.rewrap();
  }

  /** Kept first, then known to the database, then used: killed anywhere in between, every value still opens. */
  async #takeUpNewKey(store: MasterKeyStore): Promise<void> {
    const { db, masterKeys } = this.#tools;
    const key = newKey();
    await store.add(key);
    await takeMasterKey(db.system, new MasterKeys(key).currentId);
    masterKeys.takeUp(key);
  }

  async #rewrap({ batch, timeMs }: typeof LIMITS): Promise<Rewrapped> {
    const { db, masterKeys, log } = this.#tools;
    const { currentId } = masterKeys;
    const q = db.system;
    const [latest] = await listMasterKeyIds(q);
    if (!latest?.equals(currentId)) throw conflict(COPY_BEHIND);
    const untilMs = performance.now() + timeMs;
    const done: Rewrapped = { tenant_keys: 0, ca_keys: 0, service_keys: 0, remaining: 0 };
    let hasMoved: boolean;
    do {
      const pass = await rewrapKeys(this.#tools, { batch, untilMs });
      for (const name of ['tenant_keys', 'ca_keys', 'service_keys'] as const) done[name] += pass[name];
      hasMoved = Object.values(pass).some((count) => count > 0);
      done.remaining = await countUnderOthers(q, currentId);
      if (done.remaining === 0 && !(await deleteEarlierMasterKeys(q, currentId))) {
        // Something was under way with an earlier key, and has come since.
        done.remaining = await countUnderOthers(q, currentId);
      }
    } while (done.remaining > 0 && hasMoved && performance.now() < untilMs);
    if (done.remaining === 0) await this.#dropOthers();
    log.info(done, 'keys were wrapped anew by the current master key');
    return done;
  }

  async #dropOthers(): Promise<void> {
    const { masterKeys } = this.#tools;
    const [current, ...others] = masterKeys.all;
    if (!this.#store || !current || others.length === 0) return;
    await this.#store.keepOnly(current);
    masterKeys.dropOthers();
  }
}
