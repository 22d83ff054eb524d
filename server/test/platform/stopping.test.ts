import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { connect, Server } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { plainHasher } from '../support/fakes.ts';
import { PASSWORD, startTestService } from '../support/service.ts';

it('finishes requests, also later ones of their connections, and accepts no new connections', async () => {
  const login = new EventEmitter();
  const verifying = once(login, 'verifying');
  const released = once(login, 'released');
  const service = await startTestService({
    runsJobs: false,
    hasher: {
      ...plainHasher,
      verifyEach: async (hashes, plaintext) => {
        login.emit('verifying');
        await released;
        return plainHasher.verifyEach(hashes, plaintext);
      },
    },
  });
  const { admin_email: email } = await service.createTenant();
  const { hostname, port } = new URL(service.base_url);
  const socket = connect(Number(port), hostname);
  const answers = readAll(socket);
  const body = JSON.stringify({ email, password: PASSWORD });
  socket.write(
    `POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await verifying;

  const stopped = service.stop();
  await vi.waitFor(
    async () => expect(await service.anonymous.get('/healthz').catch(() => 'refused')).toBe('refused'),
    { timeout: 60_000 },
  );
  // The second request is read while the first waits.
  const read = new Promise((resolve) => subscribe('http.server.request.start', resolve));
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await Promise.race([read, answers]);
  login.emit('released');

  const text = await answers;
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(text).toContain('access_token');
  expect(text).toMatch(/connection: close/i);
  await stopped;
});

it.each<[string, number]>([
  ['', 0],
  [', also after a second without a turn', 1100],
])('answers what a balancer was sending when it stopped accepting%s', async (_, stalledMs) => {
  const service = await startTestService({ runsJobs: false, drainMs: 1 });
  const { hostname, port } = new URL(service.base_url);
  const ask = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  const [silent, kept] = [connect(Number(port), hostname), connect(Number(port), hostname)];
  kept.write(ask);
  await once(kept, 'readable');
  const answers = [silent, kept].map((socket) => readAll(socket));
  await service.anonymous.get('/healthz');

  whenClosed(service.service.app.server, () => {
    for (const socket of [silent, kept]) socket.write(ask);
    queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stalledMs));
  });
  const stopped = service.stop();
  const [first, second] = await Promise.all(answers);
  expect(first?.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  expect(second?.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect([first, second]).toEqual(Array(2).fill(expect.stringMatching(/connection: close/i)));
  await stopped;
});

/** Calls back once the server accepts nobody any more, in the same turn of the event loop. */
function whenClosed(server: Server, then: () => void): void {
  const close = Reflect.get(Server.prototype, 'close');
  const spy = vi.spyOn(Server.prototype, 'close').mockImplementation(function (this: Server, done) {
    const closing = close.call(this, done);
    if (this !== server) return closing;
    spy.mockRestore();
    then();
    return closing;
  });
}

it('does not wait for a silent connection', async () => {
  const service = await startTestService({ runsJobs: false });
  const { hostname, port } = new URL(service.base_url);
  const socket = connect(Number(port), hostname);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  // The service accepted it before answering this later request.
  await service.anonymous.get('/healthz');
  await Promise.all([service.stop(), closed]);
});
