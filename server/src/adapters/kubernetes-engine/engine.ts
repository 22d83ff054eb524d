import { KeyedQueue } from '../../platform/load/keyed-queue.ts';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import { SeldomLog } from '../../platform/seldom-log.ts';
import type { Engine, Mint, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { type Change, Changes, type Following } from '../remote-engine/changes.ts';
import { NOT_FOUND_MS } from '../remote-engine/missing-images.ts';
import type { ClusterAccess } from './access.ts';
import type { Pod } from './api.ts';
import { KubernetesClient } from './client.ts';
import { Follower, type FollowerOptions } from './follower.ts';
import { instanceOf, LABEL, requireName, selectorOf } from './names.ts';
import type { PodOptions } from './pod.ts';
import { type Cluster, PodSupervisor } from './pod-supervisor.ts';

const STARTS_AT_ONCE = 10;
const LOOKS_AT_ONCE = 8;
const ORPHAN_MS = 5000;

export interface KubernetesEngineOptions extends PodOptions {
  access: ClusterAccess;
  /** Receives the last lines of a runtime that ended. */
  onOutput?: (instance_id: string, lines: readonly string[]) => Promise<void>;
  /** Takes secrets of an instance out of a line that its runtime printed; by default nothing. */
  clean?: (instance_id: string, line: string) => Promise<string>;
  log: Log;
  /** For tests. */
  orphanMs?: number;
  notFoundMs?: number;
  pace?: Pick<FollowerOptions, 'listEveryMs' | 'silenceMs' | 'pauseMs' | 'rest'>;
}

/**
 * Runs each generation of a runtime as a pod with a secret of its own. Pods outlive the service, and Kubernetes restarts
 * those that crash; the caller replaces those that are taken away.
 */
export class KubernetesEngine implements Engine {
  readonly #options: KubernetesEngineOptions;
  readonly #client: KubernetesClient;
  readonly #cluster: Cluster;
  readonly #supervisors = new Map<string, PodSupervisor>();
  readonly #changes = new Changes();
  readonly #looks = new KeyedQueue(LOOKS_AT_ONCE, (id) => this.#tell(id));
  #isListing = false;
  /** Before the first list of a watch, changes wait for it. */
  #isListed = false;
  #closing: Promise<void> | undefined;

  constructor(options: KubernetesEngineOptions) {
    this.#options = options;
    this.#client = new KubernetesClient(options.access);
    this.#cluster = {
      client: this.#client,
      pods: options,
      orphanMs: options.orphanMs ?? ORPHAN_MS,
      starts: new Semaphore(STARTS_AT_ONCE),
      notFoundMs: options.notFoundMs ?? NOT_FOUND_MS,
      log: new SeldomLog(options.log),
      onOutput: options.onOutput,
      clean: options.clean ?? (async (_id, line) => line),
    };
  }

  async ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    if (this.#closing) throw new Error('The engine is closed');
    requireName(spec.instance_id);
    requireName(spec.tenant_id);
    void this.#supervisorOf(spec.instance_id)
      .ensure(spec, mint)
      .finally(() => this.#looks.add(spec.instance_id));
  }

  async remove(instance_id: string): Promise<void> {
    if (this.#closing) throw new Error('The engine is closed');
    requireName(instance_id);
    void this.#supervisorOf(instance_id)
      .stop()
      .finally(() => this.#looks.add(instance_id));
  }

  /** Throws when the API server cannot be reached, or not any more. */
  watch(signal: AbortSignal): AsyncIterable<Change> {
    let following: Promise<void> | undefined;
    const follow = async (over: Following) => {
      this.#isListed = false;
      following = this.#followerOf(over.signal).run().catch(over.fail);
      // Its first list comes as a change.
      return undefined;
    };
    return this.#changes.watch(signal, follow, async () => following);
  }

  #followerOf(signal: AbortSignal): Follower {
    const selector = selectorOf({ [LABEL.installation]: this.#options.installation });
    const sight = {
      onList: (pods: readonly Pod[], listed: number) => this.#takeList(pods, listed),
      onPod: (pod: Pod) => this.#put(pod),
      onGone: (pod: Pod) => this.#drop(pod),
    };
    return new Follower({ client: this.#client, selector, ...this.#options.pace }, sight, signal);
  }

  /** Ends no pod. Resolves when no call is under way. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.close()));
    await this.#looks.close();
    this.#client.close();
  }

  #put(pod: Pod): void {
    const id = instanceOf(pod, this.#options);
    if (id !== undefined) this.#supervisorOf(id).put(pod);
  }

  #drop(pod: Pod): void {
    const id = instanceOf(pod, this.#options);
    const { name = '', uid } = pod.metadata;
    if (id !== undefined) this.#supervisors.get(id)?.drop(name, uid);
  }

  async #takeList(pods: readonly Pod[], listed: number): Promise<void> {
    // All of it is told at once.
    this.#isListing = true;
    for (const pod of pods) this.#put(pod);
    const names = new Set(pods.map(({ metadata }) => metadata.name ?? ''));
    for (const supervisor of this.#supervisors.values()) supervisor.dropOthers(names, listed);
    this.#isListing = false;
    const preparing = new Semaphore(LOOKS_AT_ONCE);
    await Promise.all(
      [...this.#supervisors.values()].map((supervisor) => preparing.run(() => supervisor.prepare())),
    );
    const all: Observed[] = [];
    for (const [id, supervisor] of this.#supervisors) {
      const news = supervisor.tell();
      if (news || !supervisor.isIdle) all.push(news ?? supervisor.snapshot());
      else this.#supervisors.delete(id);
    }
    this.#isListed = true;
    this.#changes.tell({ all });
  }

  async #tell(id: string): Promise<void> {
    const supervisor = this.#supervisors.get(id);
    if (!supervisor || !this.#isListed) return;
    await supervisor.prepare();
    const observed = supervisor.tell();
    if (observed) this.#changes.tell(observed);
    if (supervisor.isIdle && this.#supervisors.get(id) === supervisor) this.#supervisors.delete(id);
  }

  #supervisorOf(instance_id: string): PodSupervisor {
    const known = this.#supervisors.get(instance_id);
    if (known) return known;
    const changed = () => {
      if (!this.#isListing) this.#looks.add(instance_id);
    };
    const supervisor = new PodSupervisor(instance_id, this.#cluster, changed);
    this.#supervisors.set(instance_id, supervisor);
    return supervisor;
  }
}
