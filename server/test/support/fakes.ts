import { EventEmitter, on } from 'node:events';
import type { Hasher } from '../../src/access/hasher.port.ts';
import type { Engine, Mint, Observed, RuntimeReason, RuntimeSpec } from '../../src/runtimes/engine.port.ts';
import type { RuntimeClient } from '../../src/runtimes/runtime-client.port.ts';

type Running = RuntimeSpec & { address: string };

export class FakeEngine implements Engine {
  readonly running = new Map<string, Running>();
  readonly started: string[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** The next starts fail for good with it. */
  failure: RuntimeReason | undefined;
  /** The last line of runtimes whose start fails. */
  lastLine: string | null = null;

  async ensure(spec: RuntimeSpec, minted: Mint): Promise<void> {
    const { instance_id } = spec;
    if (this.failure)
      return this.report(spec, { phase: 'gone', reason: this.failure, last_line: this.lastLine });
    const running = this.running.get(instance_id);
    if (running) return this.report(running, { phase: 'up', address: running.address });
    this.report(spec, { phase: 'starting' });
    const environment = await minted();
    if (!environment) return this.report(spec, { phase: 'gone' });
    const address = `http://runtime.invalid/${instance_id}`;
    this.started.push(instance_id);
    this.running.set(instance_id, { ...spec, environment: { ...spec.environment, ...environment }, address });
    this.report(spec, { phase: 'up', address });
  }

  async remove(instance_id: string): Promise<void> {
    this.lose(instance_id);
  }

  lose(instance_id: string, change: Partial<Observed> = {}): void {
    const running = this.running.get(instance_id);
    this.running.delete(instance_id);
    if (running) this.report(running, { phase: 'gone', ...change });
  }

  report({ instance_id, generation, hash }: RuntimeSpec, change: Partial<Observed>): void {
    const calm = {
      phase: 'gone',
      reason: null,
      last_line: null,
      address: null,
      restarts: 0,
      exit_code: null,
    } as const;
    const observed: Observed = {
      instance_id,
      generation,
      spec_hash: hash,
      ...calm,
      ...change,
      at: Date.now(),
    };
    this.#changes.emit('change', observed);
  }

  async *watch(signal: AbortSignal): AsyncGenerator<{ all: readonly Observed[] } | Observed> {
    const changes = on(this.#changes, 'change', { signal });
    yield { all: [] };
    for (const spec of this.running.values()) this.report(spec, { phase: 'up', address: spec.address });
    for await (const [observed] of changes as AsyncIterable<[Observed]>) yield observed;
  }

  async close(): Promise<void> {
    this.running.clear();
  }
}

interface PostedMessage {
  address: string;
  message: Record<string, unknown>;
}

export class FakeRuntimes implements RuntimeClient {
  readonly messages: PostedMessage[] = [];
  readonly secrets: { address: string; secrets: unknown }[] = [];
  healthy = true;
  words = '';
  /** Throws to refuse a message. */
  onMessage: (message: Record<string, unknown>) => void | Promise<void> = () => {};

  async isHealthy(_address: string): Promise<boolean> {
    return this.healthy;
  }

  async whyUnhealthy(): Promise<string> {
    return this.words;
  }

  async putSecrets(address: string, _messageSecret: string, secrets: unknown): Promise<void> {
    this.secrets.push({ address, secrets });
  }

  async postMessage(address: string, _messageSecret: string, message: unknown): Promise<void> {
    await this.onMessage(message as Record<string, unknown>);
    this.messages.push({ address, message: message as Record<string, unknown> });
  }
}

/** For tests that are not about hashing. */
export const plainHasher = {
  hash: async (plaintext) => `plain:${plaintext}`,
  verify: async (hash, plaintext) => hash === `plain:${plaintext}`,
  verifyEach: async (hashes, plaintext) => hashes.map((hash) => hash === `plain:${plaintext}`),
} satisfies Hasher;
