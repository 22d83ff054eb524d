/** With the second that a key is believed without a question, that is how long anybody goes on. */
const LOOK_EVERY_MS = 1000;

interface LastingAnswer {
  isStillAdmitted: () => Promise<boolean>;
  onRefused: () => void;
  isAsked: boolean;
}

/**
 * Answers that last, such as streams, end with the key or the session that asked for them. They are looked after at the
 * same moment, so that what is asked about them travels together, however many there are.
 */
export class LastingAnswers {
  readonly #answers = new Set<LastingAnswer>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onRefused called once the caller would not be admitted any more. @returns how to have it forgotten */
  watch(isStillAdmitted: () => Promise<boolean>, onRefused: () => void): () => void {
    const answer = { isStillAdmitted, onRefused, isAsked: false };
    this.#answers.add(answer);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => {
      this.#answers.delete(answer);
      if (this.#answers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    for (const answer of this.#answers) if (!answer.isAsked) void this.#ask(answer);
  }

  async #ask(answer: LastingAnswer): Promise<void> {
    answer.isAsked = true;
    // Where nobody can say, the next look may.
    const isRefused = await answer.isStillAdmitted().then(
      (isAdmitted) => !isAdmitted,
      () => false,
    );
    answer.isAsked = false;
    if (isRefused && this.#answers.has(answer)) answer.onRefused();
  }
}
