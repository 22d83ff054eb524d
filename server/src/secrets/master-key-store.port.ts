/** Durable storage for an installation that keeps its own master keys. A key is stored before it is used. */
export interface MasterKeyStore {
  /** Adds a key, which is the first one from the next start on. */
  add(key: Buffer): Promise<void>;
  /** Removes all other keys. */
  keepOnly(key: Buffer): Promise<void>;
}
