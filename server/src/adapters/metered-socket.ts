import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/** A connection that is broken off when it has received too much, before anybody reads what was too much. */
export class MeteredSocket extends Duplex {
  readonly #raw: Socket;
  #bytesLeft: number;

  constructor(raw: Socket, maxBytes: number, tooMuch: () => Error) {
    super();
    this.#raw = raw;
    this.#bytesLeft = maxBytes;
    raw.on('data', (chunk: Buffer) => {
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft < 0) this.destroy(tooMuch());
      else if (!this.push(chunk)) raw.pause();
    });
    raw.on('end', () => this.push(null));
    raw.on('error', (error) => this.destroy(error));
    raw.on('close', () => this.destroy());
  }

  /** From now on it may receive whatever comes. */
  lift(): void {
    this.#bytesLeft = Infinity;
  }

  override _read(): void {
    this.#raw.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#raw.write(chunk, done);
  }

  override _final(done: Done): void {
    this.#raw.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#raw.destroy();
    done(error);
  }
}
