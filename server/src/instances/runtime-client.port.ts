/** What the service does with a runtime that listens somewhere (contract, section 7). */
export interface RuntimeClient {
  /** Whether the runtime says that it is well. */
  isHealthy(address: string): Promise<boolean>;
  /** Gives a runtime new secrets. */
  putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void>;
  /** Hands a message over. Rejects unless the runtime took it. */
  postMessage(address: string, messageSecret: string, message: unknown): Promise<void>;
}
