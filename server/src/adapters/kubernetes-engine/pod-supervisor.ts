import type { Semaphore } from '../../platform/load/semaphore.ts';
import type { SeldomLog } from '../../platform/seldom-log.ts';
import type { Mint, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { Calls } from '../remote-engine/calls.ts';
import type { Pod } from './api.ts';
import { ImagePatience } from './image-patience.ts';
import { type KeptPod, KeptPods } from './kept-pods.ts';
import { LastWords, type LastWordsOptions } from './last-words.ts';
import { nameOf } from './names.ts';
import type { Observation } from './observation.ts';
import { endPodsUntilDone } from './pod-removal.ts';
import { type Attempt, seenOf, stateOf } from './pod-state.ts';
import { tryUntilStarted } from './start-tries.ts';
import { Starter, type StarterOptions } from './starter.ts';
import { Told } from './told.ts';

/** All supervisors of an engine share it. */
export interface Cluster extends StarterOptions, LastWordsOptions {
  /** Starts at once. */
  readonly starts: Semaphore;
  /** A pod whose image is not found for as long is given up. */
  readonly notFoundMs: number;
  readonly log: SeldomLog;
}

/** Starts, sees and ends the pods of one instance, one step at a time. */
export class PodSupervisor {
  readonly #instance_id: string;
  readonly #cluster: Cluster;
  /** Something that `tell` would tell has changed. */
  readonly #onChange: () => void;
  readonly #pods = new KeptPods();
  readonly #words: LastWords;
  readonly #image: ImagePatience;
  #attempt: Attempt | undefined;
  /** From the call until each pod is asked to end. */
  #isRemoving = false;
  readonly #told = new Told();
  readonly #calls: Calls;
  readonly #untilClose = new AbortController();
  #steps: Promise<unknown> = Promise.resolve();

  constructor(instance_id: string, cluster: Cluster, onChange: () => void) {
    this.#instance_id = instance_id;
    this.#cluster = cluster;
    this.#onChange = onChange;
    this.#calls = new Calls(instance_id);
    this.#words = new LastWords(instance_id, cluster);
    this.#image = new ImagePatience(cluster.notFoundMs, (pod) => this.#giveUpImage(pod));
  }

  /** Nothing is there, and nothing is under way. */
  get isIdle(): boolean {
    const isWorking = !this.#calls.isIdle || this.#isRemoving || this.#told.isDemanded;
    return !isWorking && this.#pods.isEmpty && this.#attempt?.phase !== 'starting';
  }

  /** The watch or a list shows the pod. */
  put(pod: Pod): void {
    this.#pods.put(pod);
    this.#image.follow(this.#pods.newest);
    this.#endOutdated();
    this.#onChange();
  }

  /** The pod is gone. */
  drop(name: string, uid: string | undefined): void {
    const pod = this.#pods.drop(name, uid);
    if (!pod) return;
    this.#image.follow(this.#pods.newest);
    // Its secret is of no use to anybody.
    if (!pod.isOurs) this.#tryStep(() => this.#cluster.client.deleteSecret(name, pod.owner));
    this.#onChange();
  }

  /** A full list that was begun at `listed` did not show them. */
  dropOthers(names: ReadonlySet<string>, listed: number): void {
    for (const { name, uid, at } of this.#pods.all) if (!names.has(name) && at < listed) this.drop(name, uid);
  }

  /** Resolves when the pod is there or the start has failed. Never rejects. */
  ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    return this.#calls.ensure((signal) => this.#step(() => this.#start(spec, mint, signal)));
  }

  /** Resolves when each pod is asked to end. Never rejects. */
  stop(): Promise<void> {
    return this.#calls.stop(() => this.#beginStop());
  }

  /** Pods stay as they are. Resolves when nothing is under way. */
  close(): Promise<void> {
    this.#calls.abort();
    this.#image.end();
    this.#untilClose.abort();
    return this.#step(() => Promise.resolve());
  }

  /** Reads the last words of an end that is news. */
  prepare(): Promise<void> {
    return this.#words.read(this.#pods.newest);
  }

  /** @returns what the caller has to be told; undefined: nothing new */
  tell(): Observed | undefined {
    return this.#told.news(this.#state);
  }

  snapshot(): Observed {
    return this.#told.snapshot(this.#state);
  }

  get #seen(): Observation {
    return seenOf({ pods: this.#pods, attempt: this.#attempt, isRemoving: this.#isRemoving });
  }

  get #state() {
    return stateOf(this.#instance_id, this.#seen, this.#words.line);
  }

  async #start(spec: RuntimeSpec, mint: Mint, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isThere()) return;
    const { generation, hash: spec_hash } = spec;
    const change = (attempt: Pick<Attempt, 'phase' | 'reason'>) => {
      this.#attempt = { generation, spec_hash, ...attempt };
      if (attempt.phase === 'gone') {
        this.#calls.forget();
        this.#told.demand();
      }
      this.#onChange();
    };
    change({ phase: 'starting', reason: null });
    const starter = new Starter(this.#cluster, spec, mint);
    const { starts, pods } = this.#cluster;
    const end = await tryUntilStarted(starter, spec, {
      starts,
      forMs: pods.start_timeout_ms,
      signal,
      delayed: (reason) => change({ phase: 'starting', reason }),
      warn: (error, message) => this.#warn(error, message),
    });
    if (end !== 'unwanted' && 'metadata' in end) return this.#takeStarted(end, starter, spec);
    await this.#discard(starter);
    if (!signal.aborted) change({ phase: 'gone', reason: end === 'unwanted' ? null : end.reason });
    else this.#onChange();
  }

  async #takeStarted(pod: Pod, { minted }: Starter, spec: RuntimeSpec): Promise<void> {
    this.#words.minted = minted;
    this.#pods.putNew(pod);
    this.#attempt = undefined;
    await this.#tidyAfter(spec);
  }

  /** There is one, or one that ends and has to be waited for by the caller. */
  #isThere(): boolean {
    const { newest } = this.#pods;
    return newest !== undefined && (newest.seen.phase === 'starting' || newest.seen.phase === 'up');
  }

  async #discard(starter: Starter): Promise<void> {
    await starter
      .discard()
      .catch((error: unknown) => this.#warn(error, 'the secret of a runtime could not be removed'));
  }

  /** A former holder of the cluster may have died between a secret and its pod. */
  async #tidyAfter({ instance_id, generation }: RuntimeSpec): Promise<void> {
    this.#onChange();
    this.#endOutdated();
    if (generation <= 1 || this.#pods.has(instance_id, generation - 1)) return;
    await this.#cluster.client
      .deleteSecret(nameOf(instance_id, generation - 1), undefined)
      .catch((error: unknown) => this.#warn(error, 'the secret of a former runtime could not be removed'));
  }

  #endOutdated(): void {
    for (const pod of this.#pods.outdated) this.#endPod(pod);
  }

  #endPod({ name, uid, owner }: KeptPod): void {
    this.#pods.markOurs(name);
    this.#tryStep(async () => {
      await this.#cluster.client.deletePod(name, uid);
      await this.#cluster.client.deleteSecret(name, owner);
    });
  }

  /** The start has failed, as one that never got a pod. */
  #giveUpImage(pod: KeptPod): void {
    const { generation, spec_hash } = pod.seen;
    this.#attempt = { generation, spec_hash, phase: 'gone', reason: 'image_pull_failed' };
    this.#endPod(pod);
    this.#image.end();
    this.#onChange();
  }

  #beginStop(): Promise<void> {
    const isNothing = this.#seen.phase === 'gone';
    this.#isRemoving = true;
    this.#onChange();
    return this.#step(async () => {
      const isDone = await this.#endAllPods();
      if (!isDone) return;
      this.#isRemoving = false;
      this.#attempt = undefined;
      if (this.#pods.isEmpty) this.#pods.forgetEnd();
      if (isNothing) this.#told.demand();
      this.#onChange();
    });
  }

  #endAllPods(): Promise<boolean> {
    const { client, pods: owner } = this.#cluster;
    const dropOthers: PodSupervisor['dropOthers'] = (names, listed) => this.dropOthers(names, listed);
    const removal = { client, owner, kept: this.#pods, dropOthers };
    return endPodsUntilDone(this.#instance_id, removal, this.#untilClose.signal, (error) =>
      this.#warn(error, 'a runtime could not be removed'),
    );
  }

  /** One after another. `work` must not reject. */
  #step(work: () => Promise<void>): Promise<void> {
    const step = this.#steps.then(work);
    this.#steps = step;
    return step;
  }

  /** The next removal or list tries again. */
  #tryStep(work: () => Promise<void>): void {
    if (this.#untilClose.signal.aborted) return;
    void this.#step(() =>
      work().catch((error: unknown) => this.#warn(error, 'a former runtime could not be removed')),
    );
  }

  #warn(error: unknown, message: string): void {
    const fields = { instance_id: this.#instance_id, err: error };
    this.#cluster.log.warn(`${this.#instance_id} ${message}`, fields, message);
  }
}
