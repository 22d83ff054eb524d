import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

const HEAD_END = '\r\n\r\n';

/** Status and body. */
export type RawAnswer = [status: number, body: string];

/**
 * A connection of its own on which its holder presents a certificate, opened by its first request; one request at a
 * time. Node's own client takes as long for a renewal as the database does, and who measures waits for it.
 */
export class MutualTls {
  readonly #options: ConnectionOptions;
  #socket: TLSSocket | undefined;

  constructor(url: string, identity: { ca: string; cert: string; key: string }) {
    const { hostname: host, port } = new URL(url);
    this.#options = { ...identity, host, port: Number(port) };
  }

  /** Sends a request's bytes as they are; the answer has to say how long it is. */
  async send(request: Buffer): Promise<RawAnswer> {
    const socket = (this.#socket ??= await this.#open());
    const answer = readAnswer(socket);
    socket.write(request);
    return answer;
  }

  async #open(): Promise<TLSSocket> {
    const socket = connect(this.#options).setNoDelay(true);
    await once(socket, 'secureConnect');
    // An error is followed by the end of the connection, which requests wait for.
    return socket.on('error', () => {});
  }

  close(): void {
    this.#socket?.destroy();
  }
}

function readAnswer(socket: TLSSocket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const end = (settle: () => void) => {
      socket.off('data', take).off('close', fail);
      settle();
    };
    const fail = () => end(() => reject(new Error(`No whole answer: ${bytes.toString('latin1', 0, 500)}`)));
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const answer = answerIn(bytes);
      if (answer) end(() => resolve(answer));
    };
    socket.on('data', take).on('close', fail);
  });
}

/** The whole answer, once it is there. */
function answerIn(bytes: Buffer): RawAnswer | undefined {
  const bodyAt = bytes.indexOf(HEAD_END) + HEAD_END.length;
  const head = bytes.toString('latin1', 0, bodyAt);
  const [, length = Infinity] = /^content-length: (\d+)\r$/im.exec(head) ?? [];
  if (bytes.length < bodyAt + Number(length)) return undefined;
  return [Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), bytes.toString('utf8', bodyAt)];
}
