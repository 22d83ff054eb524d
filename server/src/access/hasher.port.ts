/** The party whose share of hashing is used: the tenant, or the client's network before authentication. */
export type HashFor = { tenant_id: string } | { address: string };

/**
 * Hashes passwords and PINs off the event loop, with bounded concurrency and fair shares per party.
 * @throws ServiceError rate_limited when too many wait
 */
export interface Hasher {
  hash(plaintext: string, party: HashFor): Promise<string>;
  verify(hash: string, plaintext: string, party: HashFor): Promise<boolean>;
  /** Always verifies all hashes, so the time does not reveal a match. Takes one permit. */
  verifyEach(hashes: readonly string[], plaintext: string, party: HashFor): Promise<boolean[]>;
}
