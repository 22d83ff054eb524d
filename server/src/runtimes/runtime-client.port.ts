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

/** Makes sure of runtimes that are called over TLS. */
export interface RuntimeTrust {
  /** PEM: the authorities that issue runtimes' certificates. */
  trustBundle(): Promise<string>;
  /** Runtimes are named `spiffe://<trust domain>/instance/<instance id>`. */
  readonly trust_domain: string;
  /** False for a certificate that is revoked, or not one of the instance. */
  isInUse(
    instance_id: string,
    certificate: { readonly serialNumber: string; readonly raw: Buffer },
  ): Promise<boolean>;
}
