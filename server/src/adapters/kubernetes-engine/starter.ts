import { setTimeout as sleep } from 'node:timers/promises';
import type { Mint, Minted, RuntimeSpec } from '../../runtimes/engine.port.ts';
import type { Pod } from './api.ts';
import type { KubernetesClient } from './client.ts';
import { ClusterRefusal, StartFailure } from './failures.ts';
import { instanceOf, nameOf, ownerOf } from './names.ts';
import { observe } from './observation.ts';
import { type PodOptions, podOf, secretOf } from './pod.ts';

const ORPHAN_LOOK_MS = 250;

export interface StarterOptions {
  client: KubernetesClient;
  pods: PodOptions;
  /** A secret is without its pod for as long as its maker may still be at work. */
  orphanMs: number;
}

interface Made {
  name: string;
  uid: string;
}

/** The tries to make the secret and the pod of one generation. */
export class Starter {
  readonly #options: StarterOptions;
  readonly #spec: RuntimeSpec;
  readonly #mint: Mint;
  /** Its secret, once it is there and as long as it has no pod. */
  #made: Made | undefined;
  /** Minted values, for their removal from texts. */
  minted: Minted | undefined;

  constructor(options: StarterOptions, spec: RuntimeSpec, mint: Mint) {
    this.#options = options;
    this.#spec = spec;
    this.#mint = mint;
  }

  get name(): string {
    return nameOf(this.#spec.instance_id, this.#spec.generation);
  }

  /**
   * Calls that make something are never broken off, because nobody would know what they made.
   * @returns the pod, or undefined: it should not run any more
   */
  async try(signal: AbortSignal): Promise<Pod | undefined> {
    if (!this.#made) {
      const made = await this.#makeSecret(signal);
      if (!made || 'metadata' in made) return made;
      this.#made = made;
    }
    signal.throwIfAborted();
    const { client, pods } = this.#options;
    const { name, uid } = this.#made;
    try {
      const pod = await client.createPod(podOf(this.#spec, uid, pods));
      this.#made = undefined;
      return pod;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    const found = await this.#find(name);
    if (!found) throw new StartFailure(null, 'The pod of its name has just gone');
    if (ownerOf(found) === uid && !isOver(found)) {
      this.#made = undefined;
      return found;
    }
    // Its own secret is gone, so Kubernetes would collect it.
    await client.deletePod(name, found.metadata.uid);
    throw new StartFailure(null, 'A former pod of its name is ending');
  }

  /** Removes a secret that gets no pod. */
  async discard(): Promise<void> {
    const made = this.#made;
    if (!made) return;
    await this.#options.client.deleteSecret(made.name, made.uid);
    this.#made = undefined;
  }

  /** @returns the pod where another copy was faster */
  async #makeSecret(signal: AbortSignal): Promise<Made | Pod | undefined> {
    const { client, pods } = this.#options;
    const { name } = this;
    const minted = await this.#mint();
    if (!minted) return undefined;
    this.minted = minted;
    signal.throwIfAborted();
    try {
      const { metadata } = await client.createSecret(secretOf(this.#spec, minted, pods));
      return { name, uid: metadata.uid ?? '' };
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    const pod = await this.#awaitPod(name, signal);
    if (pod && !isOver(pod)) return pod;
    if (pod) await client.deletePod(name, pod.metadata.uid);
    await client.deleteSecret(name, undefined);
    throw new StartFailure(null, 'A secret was left by a try that died');
  }

  /** undefined: the maker of the secret has died. */
  async #awaitPod(name: string, signal: AbortSignal): Promise<Pod | undefined> {
    for (const until = performance.now() + this.#options.orphanMs; ; ) {
      const pod = await this.#find(name);
      if (pod || performance.now() >= until) return pod;
      await sleep(ORPHAN_LOOK_MS, undefined, { signal });
    }
  }

  async #find(name: string): Promise<Pod | undefined> {
    const { client, pods } = this.#options;
    const pod = await client.findPod(name);
    if (pod && instanceOf(pod, pods) !== this.#spec.instance_id)
      throw new StartFailure('name_taken', 'A pod that is not ours has its name', { isFinal: true });
    return pod;
  }
}

const isTaken = (error: unknown) => error instanceof ClusterRefusal && error.reason === 'AlreadyExists';

const isOver = (pod: Pod) => observe(pod, false).phase === 'gone';
