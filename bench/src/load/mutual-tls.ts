import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

const HEAD_END = '\r\n\r\n';

type RawAnswer = [status: number, body: string];

/**
 * One keep-alive connection with a client certificate, for one request at a time. Node's own client would take as
 * long for a renewal as the database does.
 */
export class MutualTls {
  readonly #options: ConnectionOptions;
  #socket: TLSSocket | undefined;

  constructor(url: string, identity: { ca: string; cert: string; key: string }) {
    const { hostname: host, port } = new URL(url);
    this.#options = { ...identity, host, port: Number(port) };
  }

  async send(request: Buffer): Promise<RawAnswer> {
    const socket = (this.#socket ??= await this.#open());
    const answer = readAnswer(socket);
    socket.write(request);
    return answer;
  }

  async #open(): Promise<TLSSocket> {
    const socket = connect(this.#options).setNoDelay(true);
    await once(socket, 'secureConnect');
    // The `close` that follows rejects the requests.
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

function answerIn(bytes: Buffer): RawAnswer | undefined {
  const bodyAt = bytes.indexOf(HEAD_END) + HEAD_END.length;
  const head = bytes.toString('latin1', 0, bodyAt);
  const [, length = Infinity] = /^content-length: (\d+)\r$/im.exec(head) ?? [];
  if (bytes.length < bodyAt + Number(length)) return undefined;
  return [Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), bytes.toString('utf8', bodyAt)];
}
