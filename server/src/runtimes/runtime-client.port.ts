import type { Trace } from '../platform/tracing.ts';

/** Contract, section 7. */
export interface RuntimeClient {
  isHealthy(address: string): Promise<boolean>;
  /** The reason in the runtime's answer; may be empty. */
  whyUnhealthy(address: string): Promise<string>;
  putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void>;
  /** Rejects unless the runtime accepted the message. */
  postMessage(address: string, messageSecret: string, message: unknown, trace?: Trace): Promise<void>;
}
