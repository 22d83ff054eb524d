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

/** The master keys of a process. The first one wraps; each of them opens what it wrapped. */
export class MasterKeys {
  #keys: readonly [WrappingKey, ...WrappingKey[]];

  constructor(current: Key, others: readonly Key[] = []) {
    this.#keys = [wrappingKey(current), ...others.map(wrappingKey)];
  }

  /** Stands in front of every value that is wrapped now. Derived from the key, which it does not reveal. */
  get currentId(): Buffer {
    return this.#keys[0].id;
  }

  /** The key that wraps comes first. */
  get all(): readonly Key[] {
    return this.#keys.map(({ master }) => master);
  }

  holds(id: Buffer): boolean {
    return this.#find(id) !== undefined;
  }

  /** Version, id of the key, sealed value. */
  wrap(plaintext: string | Buffer, context: string): Buffer {
    const { id, wrapping } = this.#keys[0];
    return Buffer.concat([Buffer.of(VERSION), id, seal(wrapping, plaintext, context)]);
  }

  /**
   * The reverse of wrap. Throws when the process does not hold the key, or when the context or a single bit differs.
   * Values of version 1 do not name their key, so every key is tried.
   */
  unwrap(wrapped: Buffer, context: string): Buffer {
    if (wrapped[0] !== VERSION) return this.#tryEach(wrapped, context);
    const key = this.#find(wrapped.subarray(1, 1 + ID_BYTES));
    if (!key) throw new Error('A value is wrapped by a master key that is not held');
    return open(key.wrapping, wrapped.subarray(1 + ID_BYTES), context);
  }

  /** From now on `key` wraps; earlier keys still open. */
  takeUp(key: Key): void {
    this.#keys = [wrappingKey(key), ...this.#keys];
  }

  /** Forgets all keys but the one that wraps. */
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
 * Runs `work`, which wraps a value and stores it. When the master key goes out of use in between, the database refuses
 * the value, and `work` runs once more with the new key. ServiceError unavailable when this copy of the service has no
 * new key: other copies were started with another MASTER_KEY.
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
