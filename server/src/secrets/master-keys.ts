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

/** The first key wraps; all open. */
export class MasterKeys {
  #keys: readonly [WrappingKey, ...WrappingKey[]];

  constructor(current: Key, others: readonly Key[] = []) {
    this.#keys = [wrappingKey(current), ...others.map(wrappingKey)];
  }

  /** Prefix of every wrapped value, derived one-way. */
  get currentId(): Buffer {
    return this.#keys[0].id;
  }

  /** The current key first. */
  get all(): readonly Key[] {
    return this.#keys.map(({ master }) => master);
  }

  holds(id: Buffer): boolean {
    return this.#find(id) !== undefined;
  }

  /** Version, key id, sealed value. */
  wrap(plaintext: string | Buffer, context: string): Buffer {
    const { id, wrapping } = this.#keys[0];
    return Buffer.concat([Buffer.of(VERSION), id, seal(wrapping, plaintext, context)]);
  }

  /**
   * Throws when the key is missing, or when the context or a bit differs. Values of version 1 do not name their key, so
   * each is tried.
   */
  unwrap(wrapped: Buffer, context: string): Buffer {
    if (wrapped[0] !== VERSION) return this.#tryEach(wrapped, context);
    const key = this.#find(wrapped.subarray(1, 1 + ID_BYTES));
    if (!key) throw new Error('A value is wrapped by a master key that is not held');
    return open(key.wrapping, wrapped.subarray(1 + ID_BYTES), context);
  }

  /** Earlier keys still open. */
  adopt(key: Key): void {
    this.#keys = [wrappingKey(key), ...this.#keys];
  }

  /** Keeps only the current key. */
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
 * Runs `work` again if the master key was retired before it stored its value. ServiceError unavailable when this
 * process has no newer key.
 */
export async function withCurrentKey<T>(work: () => Promise<T>): Promise<T> {
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
