import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HttpRuntimeClient } from '../../src/adapters/http-runtime-client.ts';
import { machineNetwork } from '../../src/adapters/process-engine/network.ts';
import { type ProcessKey, readStat } from '../../src/adapters/process-engine/proc.ts';
import { noTrust } from '../support/runtime-certificates.ts';

const SECRET = 'the-message-secret';
const client = new HttpRuntimeClient(noTrust);
const THIS_PROCESS = readStat(process.pid) ?? expect.unreachable();
const servers: Server[] = [];
const addressOf = (port: number, runtime: ProcessKey) => machineNetwork(port).addressOf(runtime);

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
  return addressOf((server.address() as AddressInfo).port, THIS_PROCESS);
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

test.each([400, 401, 422, 500, 502])('%i to secrets rejects with the status alone', async (status) => {
  const address = await answering(status);
  const error = await errorOf(client.putSecrets(address, SECRET, {}));
  expect(error.message).toBe(`The runtime answered PUT /secrets with ${status}`);
  expect(error.cause).toBeUndefined();
});

test.each([
  ['{"detail":"No model is configured","trace":"x"}', ': No model is configured'],
  ['{"error":"overloaded"}', ': overloaded'],
  ['{"errors":[]}', ''],
  ['out of memory\n', ': out of memory'],
  ['<html>Bad gateway</html>', ''],
  ['', ''],
  ['x'.repeat(20_000), ''],
])('the error for a message refused with %s quotes the reason', async (body, reason) => {
  const address = await serve((request, response) => {
    request.resume().once('end', () => response.writeHead(503).end(body));
  });
  const error = await errorOf(client.postMessage(address, SECRET, {}));
  expect(error.message).toBe(`The runtime answered POST /messages with 503${reason}`);
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

test('the reason of an unhealthy runtime is the one in its answer', async () => {
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
  expect(timeout).toHaveBeenCalledWith(2_000);
});

/** A process that listens itself, or starts a child that does. */
async function serveElsewhere(script: string): Promise<{ pid: number; port: number }> {
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
  const [port] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { pid: child.pid ?? expect.unreachable(), port: Number(port) };
}
const LISTEN = `const seen = [];
  const server = require('node:http').createServer((request, response) => {
    seen.push(request.url);
    response.end(JSON.stringify(seen));
  }).listen(0, '127.0.0.1', () => console.log(server.address().port));`;
const RESETTING = `const server = require('node:net').createServer((socket) => socket.resetAndDestroy());
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
/** Servers in Python, because Node.js 20 does not share ports. */
const SHARING = `
import select, socket, sys, time
def listen():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    server.bind(("127.0.0.1", int(sys.argv[1])))
    server.listen(64)
    return server
`;
const ANSWERING = `
server = listen()
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    client.recv(65536)
    client.sendall(b"HTTP/1.1 204 No Content\\r\\nConnection: close\\r\\n\\r\\n")
    client.close()
`;
const TAKING = `
print("began", flush=True)
taken = []
while True:
    server = listen()
    readable, _, _ = select.select([server], [], [], 0.0005)
    if readable:
        taken.append(server.accept()[0])
        print("taken", flush=True)
    server.close()
    for client in select.select(taken, [], [], 0)[0]:
        said = client.recv(65536)
        if said: print(said, flush=True)
        else: taken.remove(client)
    time.sleep(0.0005)
`;
const python = (script: string, port: number) => {
  const child = spawn('python3', ['-c', SHARING + script, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};
const seenAt = async (port: number) => (await fetch(`http://127.0.0.1:${port}/seen`)).json();

describe('a request', () => {
  test('does not reach another process at the address of a runtime', async () => {
    const [{ port }, runtime] = [await serveElsewhere(LISTEN), await serveElsewhere(LISTEN)];
    const address = addressOf(port, readStat(runtime.pid) ?? expect.unreachable());
    const error = await errorOf(client.putSecrets(address, SECRET, {}));
    expect(error.message).toBe(
      'The runtime did not answer PUT /secrets: another process listens at its address',
    );
    await expect(client.postMessage(address, SECRET, {})).rejects.toThrow('another process');
    expect(await client.isHealthy(address)).toBe(false);
    expect(await seenAt(port)).toEqual(['/seen']);
  });

  test('does not reach a process that reused the pid of a runtime', async () => {
    const { pid, port } = await serveElsewhere(LISTEN);
    const identity = readStat(pid) ?? expect.unreachable();
    const former = { pid, startTime: String(Number(identity.startTime) - 1) };
    await expect(client.putSecrets(addressOf(port, former), SECRET, {})).rejects.toThrow('another process');
    expect(await seenAt(port)).toEqual(['/seen']);
    await client.putSecrets(addressOf(port, identity), SECRET, {});
    expect(await seenAt(port)).toEqual(['/seen', '/secrets', '/seen']);
  });

  test('does not reach an address that names no process', async () => {
    const { port } = await serveElsewhere(LISTEN);
    await expect(client.putSecrets(`http://127.0.0.1:${port}`, SECRET, {})).rejects.toThrow();
    expect(await seenAt(port)).toEqual(['/seen']);
  });

  test('to a runtime that resets its connections fails, and nothing else does', async () => {
    const { pid, port } = await serveElsewhere(RESETTING);
    const address = addressOf(port, readStat(pid) ?? expect.unreachable());
    for (let count = 0; count < 20; count++) expect(await client.isHealthy(address)).toBe(false);
  });

  test('a process that shares the port of a runtime that shares it', async () => {
    const runtime = python(ANSWERING, 0);
    const [line] = (await once(runtime.stdout.setEncoding('utf8'), 'data')) as [string];
    // It comes and goes: mostly it is not there when somebody looks.
    const thief = python(TAKING, Number(line));
    let stolen = '';
    thief.stdout.setEncoding('utf8').on('data', (chunk: string) => (stolen += chunk));
    await vi.waitFor(() => expect(stolen).toContain('began'), { timeout: 60_000 });
    const address = addressOf(Number(line), readStat(runtime.pid ?? 0) ?? expect.unreachable());
    const outcomes = { sent: 0, refused: 0 };
    for (let count = 0; count < 300; count++) {
      await client.putSecrets(address, SECRET, {}).then(
        () => outcomes.sent++,
        () => outcomes.refused++,
      );
    }
    expect(outcomes.sent).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(stolen).toMatch(/taken/);
    expect(stolen).not.toContain(SECRET);
  });

  test('reaches a child of the runtime that listens at every address', async () => {
    const program = JSON.stringify(LISTEN.replace("'127.0.0.1'", "'::'"));
    const { pid, port } = await serveElsewhere(
      `require('node:child_process').spawn(process.execPath, ['-e', ${program}], { stdio: 'inherit' });`,
    );
    await client.putSecrets(addressOf(port, readStat(pid) ?? expect.unreachable()), SECRET, {});
    expect(await seenAt(port)).toEqual(['/secrets', '/seen']);
  });
});
