import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { HttpRuntimeClient } from '../../src/adapters/http-runtime-client.ts';

const SECRET = 'the-message-secret';
const client = new HttpRuntimeClient();
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: (...args: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answering(status: number, headers: Record<string, string> = {}): Promise<string> {
  return serve((request, response) => {
    request.resume().once('end', () => response.writeHead(status, headers).end(`body with ${SECRET}`));
  });
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return JSON.parse(text);
}

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(() => undefined).catch((error: unknown) => error);
  if (!(error instanceof Error)) throw new Error('It did not reject with an Error');
  return error;
}

test('secrets and messages arrive as JSON with the credential of the instance', async () => {
  const seen: unknown[] = [];
  const address = await serve(async (request, response) => {
    const { method, url, headers } = request;
    seen.push([method, url, headers.authorization, headers['content-type'], await readBody(request)]);
    response.writeHead(method === 'PUT' ? 204 : 200).end();
  });
  await client.putSecrets(address, SECRET, { connections: {} });
  await client.postMessage(address, SECRET, { message_id: 'm1', text: 'hé' });
  expect(seen).toEqual([
    ['PUT', '/secrets', `Bearer ${SECRET}`, 'application/json', { connections: {} }],
    ['POST', '/messages', `Bearer ${SECRET}`, 'application/json', { message_id: 'm1', text: 'hé' }],
  ]);
});

test.each([400, 401, 422, 500, 502])(
  '%i rejects with the status, and says of secrets nothing else',
  async (status) => {
    const address = await answering(status);
    const error = await errorOf(client.putSecrets(address, SECRET, {}));
    expect(error.message).toBe(`The runtime answered PUT /secrets with ${status}`);
    expect(error.cause).toBeUndefined();
  },
);

test.each([
  ['{"detail":"No model is configured","trace":"x"}', ': No model is configured'],
  ['{"error":"overloaded"}', ': overloaded'],
  ['{"errors":[]}', ''],
  ['out of memory\n', ': out of memory'],
  ['<html>Bad gateway</html>', ''],
  ['', ''],
  ['x'.repeat(20_000), ''],
])('a message that is refused with %s is told so', async (body, words) => {
  const address = await serve((request, response) => {
    request.resume().once('end', () => response.writeHead(503).end(body));
  });
  const error = await errorOf(client.postMessage(address, SECRET, {}));
  expect(error.message).toBe(`The runtime answered POST /messages with 503${words}`);
});

test('a redirect rejects and is not followed', async () => {
  let visits = 0;
  const elsewhere = await serve((_request, response) => {
    visits++;
    response.end();
  });
  const address = await answering(307, { location: elsewhere });
  await expect(client.putSecrets(address, SECRET, {})).rejects.toThrow(
    'The runtime answered PUT /secrets with 307',
  );
  expect(await client.isHealthy(address)).toBe(false);
  expect(visits).toBe(0);
});

test('an endless response is not read', async () => {
  let isCut = false;
  const address = await serve((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.once('close', () => {
      isCut = true;
      clearInterval(timer);
    });
  });
  await client.postMessage(address, SECRET, {});
  await expect.poll(() => isCut).toBe(true);
});

test('a refused connection is reported by its code', async () => {
  const address = await answering(200);
  servers.pop()?.close();
  const error = await errorOf(client.postMessage(address, SECRET, {}));
  expect(error.message).toBe('The runtime did not answer POST /messages: ECONNREFUSED');
  expect(await client.isHealthy(address)).toBe(false);
});

test('a secret that cannot be sent is not in the error', async () => {
  const address = await answering(200);
  const error = await errorOf(client.postMessage(address, 'sec\nret-value', {}));
  expect(error.message).toBe('The runtime did not answer POST /messages: TypeError');
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('ret-value');
});

test('healthy is 2xx at GET /health, without a credential', async () => {
  const seen: unknown[] = [];
  const address = await serve((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization]);
    response.end('{}');
  });
  expect(await client.isHealthy(address)).toBe(true);
  expect(seen).toEqual([['GET', '/health', undefined]]);
  expect(await client.isHealthy(await answering(503))).toBe(false);
  expect(await client.isHealthy('not an address')).toBe(false);
});

test('an unhealthy runtime tells why in its own words', async () => {
  const address = await serve((_request, response) => {
    response.writeHead(503);
    response.end(JSON.stringify({ status: 'enrolling', reason: 'CERT_NOT_YET_VALID' }));
  });
  expect(await client.whyUnhealthy(address)).toBe(
    'The runtime answered GET /health with 503: CERT_NOT_YET_VALID',
  );
  expect(await client.whyUnhealthy(await answering(200))).toBe('');
});

test('a runtime that does not respond within 2 s is unhealthy', async () => {
  const address = await serve(() => {});
  const short = AbortSignal.timeout(50);
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(short);
  onTestFinished(() => timeout.mockRestore());
  expect(await client.isHealthy(address)).toBe(false);
  expect(timeout.mock.calls).toEqual([[2_000]]);
});
