import { randomUUID } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type NetworkInterfaceInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Internet, isOutside } from '../../src/adapters/outside/internet.ts';
import { silentLog } from '../support/log.ts';

let outside: Server;
let port: number;
let heard: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
/** As the public internet sees it; here it is this machine. */
const OPEN = '127.0.0.1';
const isOpen = (address: string) => address === OPEN;

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  heard.push({ url: incoming.url, headers: incoming.headers, body: await text(incoming) });
  response.writeHead(201, { 'x-from': 'outside' }).end('outside');
}

beforeAll(async () => {
  outside = createServer((incoming, response) => void answer(incoming, response)).listen(0, '127.0.0.1');
  await once(outside, 'listening');
  ({ port } = outside.address() as AddressInfo);
});
afterAll(() => {
  outside.closeAllConnections();
  outside.close();
});

/** @returns the path of the proxy's socket */
async function openProxy(options: Partial<ConstructorParameters<typeof Internet>[0]> = {}): Promise<string> {
  const internet = new Internet({ log: silentLog, ...options });
  const path = join(tmpdir(), `internet-${randomUUID()}.sock`);
  const close = await internet.open(path);
  onTestFinished(close);
  return path;
}

/** @returns the status and the open connection */
async function tunnel(socketPath: string, to: string): Promise<{ status: number; socket: Socket }> {
  const asked = request({ socketPath, method: 'CONNECT', path: to, agent: false }).end();
  const [event, socket] = await Promise.race([
    once(asked, 'connect') as Promise<[{ statusCode: number }, Socket]>,
    once(asked, 'response') as Promise<[{ statusCode: number; socket: Socket }]>,
  ]);
  const open = socket ?? ('socket' in event ? event.socket : expect.unreachable());
  onTestFinished(() => void open.destroy());
  return { status: event.statusCode, socket: open };
}

const lookupOf =
  (...answers: LookupAddress[][]) =>
  async () =>
    answers.shift() ?? [];
const found = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a tunnel', () => {
  it('carries bytes both ways to a name’s public address', async () => {
    const path = await openProxy({ isOpen, lookup: lookupOf(found(OPEN)) });
    const { status, socket } = await tunnel(path, `shop.example:${port}`);
    expect(status).toBe(200);
    socket.write('GET /inside HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toContain('outside');
  });

  it.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0x7f.1',
    '2130706433',
    '0.0.0.0',
    '[fd00:ec2::254]',
    'localhost',
  ])('to %s is refused', async (host) => {
    const path = await openProxy();
    expect((await tunnel(path, `${host}:${port}`)).status).toBe(403);
  });

  it('to a name with one other address among public ones is refused', async () => {
    const path = await openProxy({ isOpen, lookup: lookupOf(found(OPEN, '10.0.0.1')) });
    expect((await tunnel(path, `two.example:${port}`)).status).toBe(403);
  });

  it('goes where the name was when it was looked at', async () => {
    const lookup = vi.fn(lookupOf(found(OPEN), found('10.0.0.1')));
    const path = await openProxy({ isOpen, lookup });
    expect((await tunnel(path, `rebinding.example:${port}`)).status).toBe(200);
    expect(lookup).toHaveBeenCalledOnce();
    expect((await tunnel(path, `rebinding.example:${port}`)).status).toBe(403);
  });

  it('to nothing is refused in words of HTTP', async () => {
    const path = await openProxy({ isOpen, lookup: lookupOf([]) });
    expect((await tunnel(path, 'nowhere.example:1')).status).toBe(403);
    expect((await tunnel(path, `${OPEN}:1`)).status).toBe(502);
    expect((await tunnel(path, 'a:b')).status).toBe(400);
    expect((await tunnel(path, OPEN)).status).toBe(400);
  });
});

const ask = (socketPath: string, url: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const asked = request(
      {
        socketPath,
        path: url,
        method: 'POST',
        headers: { host: 'shop.example', ...headers },
        agent: false,
      },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      },
    );
    asked.on('error', reject).end('said');
  });

describe('a request for an http URL', () => {
  it('is passed on without what was for the proxy', async () => {
    heard = [];
    const path = await openProxy({ isOpen, lookup: lookupOf(found(OPEN)) });
    const headers = { 'proxy-authorization': 'Basic x', authorization: 'Bearer y' };
    expect(await ask(path, `http://shop.example:${port}/a?b=c`, headers)).toEqual({
      status: 201,
      body: 'outside',
    });
    expect(heard).toMatchObject([
      { url: '/a?b=c', body: 'said', headers: { host: 'shop.example', authorization: 'Bearer y' } },
    ]);
    expect(heard[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('is refused for other places and other schemes', async () => {
    const path = await openProxy({ isOpen, lookup: lookupOf(found('10.0.0.1')) });
    expect((await ask(path, 'http://inner.example/')).status).toBe(403);
    expect((await ask(path, 'http://169.254.169.254/latest/meta-data')).status).toBe(403);
    expect((await ask(path, 'https://example.com/')).status).toBe(400);
    expect((await ask(path, '/healthz')).status).toBe(400);
  });
});

const own = (address: string) => ({ eth0: [{ address } as NetworkInterfaceInfo] });

it('addresses of this machine are not outside, be they public', () => {
  expect(isOutside('93.184.216.34', own('10.0.0.5'))).toBe(true);
  expect(isOutside('93.184.216.34', own('93.184.216.34'))).toBe(false);
  expect(isOutside('::ffff:93.184.216.34', own('93.184.216.34'))).toBe(false);
  expect(isOutside('2606:4700:0:0::1', own('2606:4700::1'))).toBe(false);
  expect(isOutside('10.0.0.9', own('10.0.0.5'))).toBe(false);
});

it('a thread that ends is followed by another one, at the same sockets', async () => {
  const threads: Worker[] = [];
  const noteThread = (thread: Worker) => threads.push(thread);
  process.on('worker', noteThread);
  onTestFinished(() => void process.off('worker', noteThread));
  const path = await openProxy({ isOpen });
  await threads[0]?.terminate();
  await vi.waitFor(async () => expect((await tunnel(path, `${OPEN}:${port}`)).status).toBe(200), {
    timeout: 60_000,
  });
  expect(threads).toHaveLength(2);
});

it('a closed proxy takes its socket away', async () => {
  const internet = new Internet({ log: silentLog });
  const path = join(tmpdir(), `internet-${randomUUID()}.sock`);
  const close = await internet.open(path);
  await close();
  await expect(once(connect({ path }), 'connect')).rejects.toThrow('ENOENT');
  await (await internet.open(path))();
});
