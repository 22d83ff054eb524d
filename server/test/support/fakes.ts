import type { Hasher } from '../../src/access/hasher.port.ts';
import type { Engine, RuntimeSpec } from '../../src/instances/engine.port.ts';
import type { RuntimeClient } from '../../src/instances/runtime-client.port.ts';

/** An engine whose runtimes are entries of a map. */
export class FakeEngine implements Engine {
  readonly running = new Map<string, RuntimeSpec>();
  readonly started: string[] = [];
  /** Set to make the next starts fail. */
  failure: Error | undefined;

  async start(spec: RuntimeSpec): Promise<string> {
    if (this.failure) throw this.failure;
    if (!this.running.has(spec.instance_id)) this.started.push(spec.instance_id);
    this.running.set(spec.instance_id, spec);
    return `http://runtime.invalid/${spec.instance_id}`;
  }

  async stop(instance_id: string): Promise<void> {
    this.running.delete(instance_id);
  }

  async find(instance_id: string): Promise<string | undefined> {
    return this.running.has(instance_id) ? `http://runtime.invalid/${instance_id}` : undefined;
  }

  async list(): Promise<string[]> {
    return [...this.running.keys()];
  }

  async close(): Promise<void> {
    this.running.clear();
  }
}

export interface PostedMessage {
  address: string;
  message: Record<string, unknown>;
}

/** Runtimes that are always well and keep what they get. */
export class FakeRuntimes implements RuntimeClient {
  readonly messages: PostedMessage[] = [];
  readonly secrets: { address: string; secrets: unknown }[] = [];
  healthy = true;
  /** Decides about each message; throws to refuse it. */
  onMessage: (message: Record<string, unknown>) => void | Promise<void> = () => {};

  async isHealthy(): Promise<boolean> {
    return this.healthy;
  }

  async putSecrets(address: string, _messageSecret: string, secrets: unknown): Promise<void> {
    this.secrets.push({ address, secrets });
  }

  async postMessage(address: string, _messageSecret: string, message: unknown): Promise<void> {
    await this.onMessage(message as Record<string, unknown>);
    this.messages.push({ address, message: message as Record<string, unknown> });
  }
}

/** As slow as nothing: for tests that are not about hashing. */
export const plainHasher = {
  hash: async (plaintext) => `plain:${plaintext}`,
  verify: async (hash, plaintext) => hash === `plain:${plaintext}`,
  verifyEach: async (hashes, plaintext) => hashes.map((hash) => hash === `plain:${plaintext}`),
} satisfies Hasher;
