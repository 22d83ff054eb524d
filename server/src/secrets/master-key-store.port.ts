/** Durable storage of an embedded installation's keys, which are stored before use. */
export interface MasterKeyStore {
  /** The key is the current one from the next start. */
  add(key: Buffer): Promise<void>;
  keepOnly(key: Buffer): Promise<void>;
}
