import type { Pod } from './api.ts';
import { nameOf, ownerOf } from './names.ts';
import { type Observation, observe, vanished } from './observation.ts';

/** A pod as it is kept. */
export interface KeptPod {
  name: string;
  uid: string;
  /** Its secret's uid. */
  owner: string | undefined;
  seen: Observation;
  /** The engine itself asked for its deletion. */
  isOurs: boolean;
  /** When it was seen for the last time, by a clock that is never set. */
  at: number;
}

const NOTHING: Observation = {
  generation: 0,
  spec_hash: '',
  phase: 'gone',
  reason: null,
  restarts: 0,
  exit_code: null,
  ready: undefined,
  image: 'fine',
  ip: null,
  end: '',
  words: '',
};

/** The pods of one instance, of which the newest generation counts. */
export class KeptPods {
  readonly #pods = new Map<string, KeptPod>();
  #last = NOTHING;

  get isEmpty(): boolean {
    return this.#pods.size === 0;
  }

  get all(): KeptPod[] {
    return [...this.#pods.values()];
  }

  get newest(): KeptPod | undefined {
    let newest: KeptPod | undefined;
    for (const pod of this.#pods.values())
      if (!newest || pod.seen.generation > newest.seen.generation) newest = pod;
    return newest;
  }

  /** The newest pod's, or the end of the last one. */
  get seen(): Observation {
    return this.newest?.seen ?? this.#last;
  }

  /** Older ones that nobody has asked to end. */
  get outdated(): KeptPod[] {
    if (this.#pods.size < 2) return [];
    const { newest } = this;
    return this.all.filter((pod) => pod !== newest && !pod.isOurs);
  }

  has(instance_id: string, generation: number): boolean {
    return this.#pods.has(nameOf(instance_id, generation));
  }

  put(pod: Pod): void {
    const { name = '', uid = '' } = pod.metadata;
    const before = this.#pods.get(name);
    const isOurs = before?.uid === uid && before.isOurs;
    const seen = ending(observe(pod, isOurs), isOurs);
    this.#pods.set(name, { name, uid, owner: ownerOf(pod), seen, isOurs, at: performance.now() });
  }

  /** An answer to a call may be older than what the watch has told meanwhile. */
  putNew(pod: Pod): void {
    if (this.#pods.get(pod.metadata.name ?? '')?.uid !== pod.metadata.uid) this.put(pod);
  }

  /** @returns what was kept of it */
  drop(name: string, uid: string | undefined): KeptPod | undefined {
    const pod = this.#pods.get(name);
    if (!pod || (uid !== undefined && pod.uid !== uid)) return undefined;
    if (pod === this.newest) this.#last = vanished(pod.seen, pod.isOurs);
    this.#pods.delete(name);
    return pod;
  }

  /** Before its deletion is asked for. */
  markOurs(name: string): void {
    const pod = this.#pods.get(name);
    if (!pod) return;
    pod.isOurs = true;
    pod.seen = ending(pod.seen, true);
  }

  forgetEnd(): void {
    this.#last = { ...this.#last, phase: 'gone', reason: null, exit_code: null };
  }
}

/** The deletion may be on its way. */
const ending = (seen: Observation, isOurs: boolean): Observation =>
  isOurs
    ? { ...seen, phase: 'ending', reason: null, exit_code: null, ready: undefined, image: 'fine', ip: null }
    : seen;
