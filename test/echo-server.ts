import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface EchoServer {
  base_url: string;
  /** Accepts requests whose path ends like this. */
  accepts: (path: string) => void;
  close(): Promise<void>;
}

/** A provider that refuses everything, and quotes the whole request in its error. */
export async function startEchoServer(): Promise<EchoServer> {
  let accepted = '';
  const quote = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '', rawHeaders } = request;
    const message = `Cannot ${method} ${url} ${rawHeaders.join(' ')} ${await text(request)}`;
    const status = accepted !== '' && url.endsWith(accepted) ? 200 : 500;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message }, error_description: message, messages: [{ id: 'wamid.1' }] }));
  };
  const server = createServer((request, response) => void quote(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepts: (path) => (accepted = path),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
