import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const REFUSAL = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0';

/** Like PgBouncer, refuses or drops start-up options. */
export class Pooler {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async before(port: number, options: 'refused' | 'left out'): Promise<Pooler> {
    const server = createServer((client) => {
      client.once('data', (startup) => {
        const parameters = parametersOf(startup);
        const hasOptions = parameters.delete('options');
        if (options === 'refused' && hasOptions) client.end(refusal());
        else connectStreams(client, connect(port, '127.0.0.1'), startupOf(startup, parameters));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Pooler(server);
  }

  close(): void {
    this.#server.close();
  }
}

function connectStreams(client: Socket, server: Socket, first: Buffer): void {
  for (const socket of [client, server]) {
    socket.on('error', () => {});
    socket.on('close', () => {
      client.destroy();
      server.destroy();
    });
  }
  server.write(first);
  client.pipe(server).pipe(client);
}

/** Length, protocol, then names and values, each ended by a zero. */
function parametersOf(startup: Buffer): Map<string, string> {
  const texts = startup.subarray(8).toString().split('\0');
  return new Map(texts.flatMap((name, at) => (at % 2 === 0 && name ? [[name, texts[at + 1] ?? '']] : [])));
}

function startupOf(startup: Buffer, parameters: ReadonlyMap<string, string>): Buffer {
  const body = Buffer.from([...parameters].map(([name, value]) => `${name}\0${value}\0`).join('') + '\0');
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(8 + body.length);
  return Buffer.concat([head, body]);
}

function refusal(): Buffer {
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(4 + REFUSAL.length, 1);
  return Buffer.concat([head, Buffer.from(REFUSAL)]);
}
