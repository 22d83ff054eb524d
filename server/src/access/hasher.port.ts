/** Whom a hash is computed for; before it is known who somebody is, where the request comes from. */
export type HashFor = { tenant_id: string } | { address: string };

/**
 * Hashes of passwords and PINs, off the event loop, a bounded number at once, in turns of those whom they are for.
 * ServiceError rate limited where too many wait.
 */
export interface Hasher {
  hash(plaintext: string, whom: HashFor): Promise<string>;
  verify(hash: string, plaintext: string, whom: HashFor): Promise<boolean>;
}
