import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** As reported by the thread. */
export interface OpenedConnection {
  connection: MessagePort;
  remoteAddress: string;
  /** Proven by the peer's key, from any issuer; undefined: none. */
  certificate: { raw: Uint8Array; serialNumber: string } | undefined;
}

/** Bytes; `null` for the end; `true` acknowledges a chunk. */
type Message = Uint8Array | null | true;
type Done = (error?: Error | null) => void;

/** The decrypted stream of a connection whose TLS ends in another thread (server/tls-thread.mjs). */
export class TlsConnection extends Duplex {
  readonly remoteAddress: string;
  readonly peerCertificate: { raw: Buffer; serialNumber: string } | undefined;
  bytesRead = 0;
  readonly #port: MessagePort;
  /** Continues after the other side's acknowledgement. */
  #onAck: Done | undefined;
  /** The other side waits for an acknowledgement. */
  #owesAck = false;
  #idle: NodeJS.Timeout | undefined;

  constructor({ connection, remoteAddress, certificate }: OpenedConnection) {
    super();
    this.remoteAddress = remoteAddress;
    this.peerCertificate = certificate && { ...certificate, raw: Buffer.from(certificate.raw) };
    this.#port = connection;
    let hasEnded = false;
    connection.on('message', (message: Message) => {
      hasEnded ||= message === null;
      this.#receive(message);
    });
    connection.on('close', () => {
      // Received bytes must still be read.
      if (hasEnded && !this.readableEnded) this.once('end', () => this.destroy());
      else this.destroy();
    });
  }

  /** HTTP servers call this and `destroySoon`, methods of net.Socket. */
  setTimeout(ms: number, listener?: () => void): this {
    clearTimeout(this.#idle);
    this.#idle = ms > 0 ? setTimeout(() => this.emit('timeout'), ms).unref() : undefined;
    if (listener) this.once('timeout', listener);
    return this;
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.#sendAck();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#send(Uint8Array.from(chunk), done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#send(Uint8Array.from(Buffer.concat(chunks.map(({ chunk }) => chunk))), done);
  }

  override _final(done: Done): void {
    this.#port.postMessage(null);
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    clearTimeout(this.#idle);
    this.#port.close();
    done(error);
  }

  #send(bytes: Uint8Array<ArrayBuffer>, done: Done): void {
    this.#idle?.refresh();
    this.#onAck = done;
    this.#port.postMessage(bytes, [bytes.buffer]);
  }

  #receive(message: Message): void {
    this.#idle?.refresh();
    if (message === true) {
      const onAck = this.#onAck;
      this.#onAck = undefined;
      onAck?.();
    } else if (message === null) {
      this.push(null);
    } else {
      this.bytesRead += message.byteLength;
      this.#owesAck = true;
      if (this.push(Buffer.from(message.buffer))) this.#sendAck();
    }
  }

  #sendAck(): void {
    if (!this.#owesAck) return;
    this.#owesAck = false;
    this.#port.postMessage(true);
  }
}
