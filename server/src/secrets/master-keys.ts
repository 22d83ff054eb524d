import { ServiceError } from '../platform/errors.ts';
import { isUnderUnusedKey } from './master-keys.db.ts';
import { deriveKey, type Key, open, seal } from './sealing.ts';

const VERSION = 2;
const ID_BYTES = 8;

interface WrappingKey {
  id: Buffer;
  master: Key;
  wrapping: Key;
}

const wrappingKey = (master: Key): WrappingKey => ({
  id: deriveKey(master, 'id').subarray(0, ID_BYTES),
  master,
  wrapping: deriveKey(master, 'wrapping'),
});

/** The master keys that a process holds. The first wraps; all of them open. */
export class MasterKeys {
  #keys: readonly [WrappingKey, ...WrappingKey[]];

  constructor(current: Key, others: readonly Key[] = []) {
    this.#keys = [wrappingKey(current), ...others.map(wrappingKey)];
  }

  /** What a value says that is wrapped now. It tells nothing of the key. */
  get currentId(): Buffer {
    return this.#keys[0].id;
  }

  /** The one that wraps, then the others. */
  get all(): readonly Key[] {
    return this.#keys.map(({ master }) => master);
  }

  holds(id: Buffer): boolean {
    return this.#find(id) !== undefined;
  }

  /** Version, the id of the key, and the value as `seal` makes it. */
  wrap(plaintext: string | Buffer, context: string): Buffer {
    const { id, wrapping } = this.#keys[0];
    return Buffer.concat([Buffer.of(VERSION), id, seal(wrapping, plaintext, context)]);
  }

  /**
   * The reverse of wrap. Throws when the key is not held, or when the context or a single bit differs. A value that does
   * not say its key (as all did once) is tried with each.
   */
  unwrap(wrapped: Buffer, context: string): Buffer {
    if (wrapped[0] !== VERSION) return this.#tryEach(wrapped, context);
    const key = this.#find(wrapped.subarray(1, 1 + ID_BYTES));
    if (!key) throw new Error('A value is wrapped by a master key that is not held');
    return open(key.wrapping, wrapped.subarray(1 + ID_BYTES), context);
  }

  /** From now on `key` wraps, and those before open. */
  takeUp(key: Key): void {
    this.#keys = [wrappingKey(key), ...this.#keys];
  }

  /** Forgets all but the one that wraps. */
  dropOthers(): void {
    this.#keys = [this.#keys[0]];
  }

  #find(id: Buffer): WrappingKey | undefined {
    return this.#keys.find((key) => key.id.equals(id));
  }

  #tryEach(sealed: Buffer, context: string): Buffer {
    const failures: unknown[] = [];
    for (const { wrapping } of this.#keys) {
      try {
        return open(wrapping, sealed, context);
      } catch (error) {
        failures.push(error);
      }
    }
    throw new Error('No master key opens a value', { cause: failures[0] });
  }
}

const OUT_OF_USE =
  'This copy of the service wraps with a MASTER_KEY that was taken out of use: start it with the one that the other copies have';

/**
 * Wraps and keeps. When the master key went out of use in between, the database refuses the value, and `work` is done
 * once more, with the key that took its place. ServiceError unavailable where none did: other copies of the service were
 * given another MASTER_KEY, and this one was not.
 */
export async function underCurrentKey<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnderUnusedKey(error)) throw error;
  }
  try {
    return await work();
  } catch (error) {
    if (isUnderUnusedKey(error)) throw new ServiceError('unavailable', OUT_OF_USE);
    throw error;
  }
}
