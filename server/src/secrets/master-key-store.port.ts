/** Where an installation has its master keys to itself: durably, each before it is used. */
export interface MasterKeyStore {
  /** Keeps one more, to be the first from the next start on. */
  add(key: Buffer): Promise<void>;
  /** Forgets all the others. */
  keepOnly(key: Buffer): Promise<void>;
}
