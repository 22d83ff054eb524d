import type { Trace } from '../platform/tracing.ts';

/** Calls to a running runtime (contract, section 7). */
export interface RuntimeClient {
  /** True when the runtime reports that it is healthy. */
  isHealthy(address: string): Promise<boolean>;
  /** The runtime's own words on why it is not healthy; empty where it has none. */
  whyUnhealthy(address: string): Promise<string>;
  /** Replaces the runtime's secrets. */
  putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void>;
  /** Delivers a message. Rejects unless the runtime accepted it. */
  postMessage(address: string, messageSecret: string, message: unknown, trace?: Trace): Promise<void>;
}
