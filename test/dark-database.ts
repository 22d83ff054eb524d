import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../bench/src/ports.ts';

type Behaviour =
  /** Nobody listens. */
  | 'away'
  /** Connections are accepted and nothing is ever answered. */
  | 'silent'
  /** Each connection is cut after so many bytes of the server. */
  | { cutAfter: number }
  /** Answers each connection as a server that has a reason. */
  | { says: { code: string; message: string } }
  | 'well';

/** In front of a PostgreSQL server: the outages that it may have. */
export class DarkDatabase {
  readonly port: number;
  readonly #target: { host: string; port: number };
  #server: Server;
  #behaviour: Behaviour = 'well';
  readonly #sockets = new Set<Socket>();
  /** Connections that were begun. */
  tries = 0;

  private constructor(target: { host: string; port: number }, server: Server, port: number) {
    this.#target = target;
    this.#server = server;
    this.port = port;
    this.#serve();
  }

  static async before(database_url: string): Promise<DarkDatabase> {
    const { hostname, port } = new URL(database_url);
    // While it is away, an outgoing connection of the machine must not take its port.
    const own = await freePort();
    const server = createServer().listen(own, '127.0.0.1');
    await once(server, 'listening');
    return new DarkDatabase({ host: hostname, port: Number(port || 5432) }, server, own);
  }

  urlOf(database_url: string): string {
    return Object.assign(new URL(database_url), { host: `127.0.0.1:${this.port}` }).href;
  }

  /** Connections that are open end, unless it falls silent. */
  async be(behaviour: Behaviour): Promise<void> {
    const was = this.#behaviour;
    this.#behaviour = behaviour;
    if (behaviour !== 'silent') for (const socket of this.#sockets) socket.destroy();
    if (behaviour === 'away') this.#server.close();
    if (was !== 'away' || behaviour === 'away') return;
    this.#server = createServer().listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#serve();
  }

  async close(): Promise<void> {
    await this.be('away');
  }

  #serve(): void {
    this.#server.on('connection', (client) => {
      this.tries++;
      this.#keep(client);
      const behaviour = this.#behaviour;
      if (behaviour === 'silent') return;
      if (typeof behaviour === 'object' && 'says' in behaviour) {
        client.once('data', () => client.end(refusal(behaviour.says)));
        return;
      }
      this.#forward(client, typeof behaviour === 'object' ? behaviour.cutAfter : Infinity);
    });
  }

  #forward(client: Socket, bytes: number): void {
    const server = connect(this.#target.port, this.#target.host);
    this.#keep(server);
    client.pipe(server);
    let left = bytes;
    server.on('data', (chunk) => {
      if (this.#behaviour === 'silent') return;
      left -= chunk.length;
      if (left > 0) client.write(chunk);
      else for (const socket of [client, server]) socket.destroy();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

/** An ErrorResponse of the protocol. */
function refusal({ code, message }: { code: string; message: string }): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(5);
  length.write('E');
  length.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([length, fields]);
}
