import type { KeptPod } from './kept-pods.ts';

/** Gives a pod up whose image is not found for as long as it may still be pushed. */
export class ImagePatience {
  readonly #forMs: number;
  readonly #giveUp: (pod: KeptPod) => void;
  #waiting: { uid: string; timer: NodeJS.Timeout } | undefined;

  constructor(forMs: number, giveUp: (pod: KeptPod) => void) {
    this.#forMs = forMs;
    this.#giveUp = giveUp;
  }

  /** @param pod the newest one of the instance */
  follow(pod: KeptPod | undefined): void {
    if (this.#waiting && (pod?.uid !== this.#waiting.uid || pod.seen.image === 'fine')) this.end();
    if (this.#waiting || pod?.seen.image !== 'missing') return;
    const timer = setTimeout(() => this.#giveUp(pod), this.#forMs).unref();
    this.#waiting = { uid: pod.uid, timer };
  }

  end(): void {
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
  }
}
