/** The outside world as a few small interfaces. `adapters/` implements them; tests have fakes of these alone. */

import type { Tx } from '../db/database.ts';

export type Clock = () => Date;

/** What is done later. A payload holds ids only; the state stands in our own tables. */
export type Job =
  | { name: 'run_task'; data: { tenant_id: string; task_id: string } }
  | {
      name: 'forward_message';
      data: { tenant_id: string; channel_message_id: string };
      conversation: string;
    };

export interface JobQueue {
  /** Adds jobs in the caller's transaction: they exist when, and only when, it commits. */
  enqueue(tx: Tx, jobs: readonly Job[]): Promise<void>;
}

/** What the runtime of one instance needs to run. */
export interface RuntimeSpec {
  instance_id: string;
  /** Environment variables, secrets included: never logged, never kept. */
  environment: Readonly<Record<string, string>>;
}

/** Where runtimes run: processes of this machine, containers, a cluster. Every call may be repeated. */
export interface Engine {
  /** Starts the runtime unless it runs already. @returns its base address, e.g. http://127.0.0.1:40123 */
  start(spec: RuntimeSpec): Promise<string>;
  /** Ends the runtime; nothing happens when there is none. Resolves when it is gone. */
  stop(instance_id: string): Promise<void>;
  /** The address of a runtime that runs now. */
  find(instance_id: string): Promise<string | undefined>;
  /** Ends what this engine started, when the service stops. */
  close(): Promise<void>;
}

/** What the service does with a runtime that listens somewhere (contract, section 7). */
export interface RuntimeClient {
  /** Whether the runtime says that it is well. */
  isHealthy(address: string): Promise<boolean>;
  /** Gives a runtime new secrets. */
  putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void>;
  /** Hands a message over. Rejects unless the runtime took it. */
  postMessage(address: string, messageSecret: string, message: unknown): Promise<void>;
}

/** Hashes of passwords and PINs, off the event loop and a bounded number at once. */
export interface Hasher {
  hash(plaintext: string): Promise<string>;
  verify(hash: string, plaintext: string): Promise<boolean>;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
