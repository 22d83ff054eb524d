/** The party that waits for a hash: the tenant, or the client address before authentication. */
export type HashFor = { tenant_id: string } | { address: string };

/**
 * Hashes passwords and PINs off the event loop, a bounded number at once, with fair turns between parties. Rejects with
 * ServiceError rate_limited where too many wait.
 */
export interface Hasher {
  hash(plaintext: string, party: HashFor): Promise<string>;
  verify(hash: string, plaintext: string, party: HashFor): Promise<boolean>;
  /** Verifies against each, in one turn. Takes as long whichever is right. */
  verifyEach(hashes: readonly string[], plaintext: string, party: HashFor): Promise<boolean[]>;
}
