/** Calls to a running runtime (contract, section 7). */
export interface RuntimeClient {
  /** True when the runtime reports that it is healthy. */
  isHealthy(address: string): Promise<boolean>;
  /** Replaces the runtime's secrets. */
  putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void>;
  /** Delivers a message. Rejects unless the runtime accepted it. */
  postMessage(address: string, messageSecret: string, message: unknown): Promise<void>;
}
