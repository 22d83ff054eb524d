import { type ControlPlane, ControlPlaneError } from './control-plane.ts';
import { createDue, type Due } from './due.ts';
import { statusOf } from './identity/task.ts';

const everyMs = 1000;
const maxKept = 1000;
/** The control plane takes 1,000 in a request, and one may say how many are missing. */
const maxSent = 999;
/** The control plane cuts lines after as many. */
const maxCharacters = 4000;
/** For a request, as JSON: less than the control plane's limit of 1 MiB. */
const maxBytes = 256 * 1024;

/**
 * Sends log lines to the control plane where nobody reads the standard output. Nothing waits for it: while the control plane
 * takes none, the newest lines are kept and the others counted.
 */
export class LogLines {
  readonly #now: () => number;
  readonly #due: Due;
  #lines: string[] = [];
  #dropped = 0;
  #controlPlane: ControlPlane | undefined;
  #sending = Promise.resolve();
  #isSending = false;

  /** @param now milliseconds since 1970 @param random from 0 to 1 */
  constructor(now: () => number, random: () => number) {
    this.#now = now;
    this.#due = createDue(now, random);
  }

  add(line: string): void {
    const text = line.trimEnd();
    this.#lines.push(text.length > maxCharacters ? text.slice(0, maxCharacters).toWellFormed() : text);
    this.#trim();
  }

  /** Begins to send, once a second. */
  sendBy(controlPlane: ControlPlane): void {
    this.#controlPlane = controlPlane;
    setInterval(() => {
      if (!this.#isSending) void this.flush();
    }, everyMs).unref();
  }

  /** Sends what is there, unless the last attempt failed a moment ago. Never rejects. */
  flush(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#sendAll());
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    if (!this.#controlPlane) return;
    this.#isSending = true;
    while (this.#due.inMs() === 0 && this.#lines.length + this.#dropped > 0)
      await this.#send(this.#controlPlane);
    this.#isSending = false;
  }

  async #send(controlPlane: ControlPlane): Promise<void> {
    const [batch, missing] = [this.#take(), this.#dropped];
    this.#dropped = 0;
    try {
      const note = missing > 0 ? [droppedNote(this.#now(), missing)] : [];
      await controlPlane('POST', '/logs', { body: { lines: [...note, ...batch] } });
      this.#due.after(0);
    } catch (error) {
      this.#dropped += missing;
      // Lines that are refused for what they are would be refused again.
      if (isFinal(error)) this.#dropped += batch.length;
      else this.#lines = [...batch, ...this.#lines];
      this.#trim();
      const seconds = error instanceof ControlPlaneError ? error.retryAfterSeconds : undefined;
      if (seconds === undefined) this.#due.retry();
      else this.#due.notBefore(seconds * 1000);
    }
  }

  /** The oldest lines that fit into a request. */
  #take(): string[] {
    let left = maxBytes;
    const end = this.#lines.findIndex((line, index) => {
      left -= Buffer.byteLength(JSON.stringify(line)) + 1;
      return left < 0 || index === maxSent;
    });
    return this.#lines.splice(0, end < 0 ? this.#lines.length : end);
  }

  #trim(): void {
    const tooMany = this.#lines.length - maxKept;
    if (tooMany <= 0) return;
    this.#lines.splice(0, tooMany);
    this.#dropped += tooMany;
  }
}

const isFinal = (error: unknown) => [400, 413, 422].includes(statusOf(error) ?? 0);

const droppedNote = (now: number, lines: number) =>
  JSON.stringify({ at: new Date(now).toISOString(), level: 'warn', event: 'log_lines_dropped', lines });
