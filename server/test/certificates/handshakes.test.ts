import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { madeUpChain } from '../support/chains.ts';
import { tlsRequest } from '../support/mtls.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** OpenSSL verifies no other curve as slowly. A chain of these has 51 KB. */
const ISSUERS = { curve: 'sect571r1', count: 91 };
const ROUNDS = 10;

let openssl: OpenSsl;
let service: TestService;
let ca: string;
const threads: Worker[] = [];
const noteThread = (thread: Worker) => threads.push(thread);

beforeAll(async () => {
  openssl = await OpenSsl.open();
  process.on('worker', noteThread);
  service = await startTestService({ runsJobs: false });
  ca = await service.service.services.authority.trustBundle();
});
afterAll(async () => {
  process.off('worker', noteThread);
  await service.stop();
  await openssl.close();
});

const address = () => {
  const { hostname, port } = new URL(service.mtls_url);
  return { host: hostname, port: Number(port) };
};
/** The listener has no such route. */
const ANSWERED = { status: 404 };
const ask = (localAddress: string) => tlsRequest(`${service.mtls_url}/healthz`, { ca, localAddress });

/** Only TLS 1.2 verifies a client's certificate before the handshake ends. */
const contextOf = async (links: Parameters<typeof madeUpChain>[1]) =>
  createSecureContext({ ...(await madeUpChain(openssl, links)), maxVersion: 'TLSv1.2' });

async function shake(secureContext: SecureContext, localAddress: string): Promise<'done' | 'closed'> {
  const connection = connect({ ...address(), localAddress });
  const socket = connectTls({ socket: connection, secureContext, rejectUnauthorized: false });
  connection.on('error', () => {});
  const outcome = await new Promise<'done' | 'closed'>((resolve) => {
    socket.once('secureConnect', () => resolve('done'));
    socket.once('error', () => resolve('closed'));
    socket.once('close', () => resolve('closed'));
  });
  socket.destroy();
  return outcome;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

async function slowestBeside(work: Promise<unknown>): Promise<number> {
  const state = { goesOn: true };
  const ended = work.finally(() => (state.goesOn = false));
  let slowest = 0;
  while (state.goesOn) slowest = Math.max(slowest, await timed(() => service.anonymous.get('/healthz')));
  await ended;
  return slowest;
}

it('keeps the API fast during expensive handshakes', async () => {
  const attack = await contextOf(ISSUERS);
  const lone = await timed(() => shake(attack, '127.0.0.2'));
  let beside = Number.POSITIVE_INFINITY;
  // Other load slows answers now and then, a single thread in each round.
  for (let round = 0; round < ROUNDS && beside >= lone; round++) {
    const three = Array.from({ length: 3 }, async () => {
      expect(await shake(attack, '127.0.0.2')).toBe('done');
    });
    beside = Math.min(beside, await slowestBeside(Promise.all(three)));
  }
  // In a single thread, an answer would wait for a handshake.
  expect(beside).toBeLessThan(lone);
});

it('limits the bytes of handshakes per address', async () => {
  const names = Array.from({ length: 6 }, (_, nth) => `${'x'.repeat(60)}-${nth}.example.com`);
  const large = await contextOf({ curve: 'P-256', count: 90, names });
  const outcomes: string[] = [];
  // In parallel: handshakes that begin before the budget is spent exceed it.
  while (!outcomes.includes('closed') && outcomes.length < 100) {
    const several = Array.from({ length: 10 }, () => shake(large, '127.0.0.3'));
    outcomes.push(...(await Promise.all(several)));
  }
  expect(outcomes.indexOf('closed')).toBeGreaterThan(20);
  await expect(ask('127.0.0.3')).rejects.toThrow();
  expect(await ask('127.0.0.1')).toMatchObject(ANSWERED);
});

it('limits concurrent handshakes per address', async () => {
  const MOST = 16 + 256;
  const sockets: Socket[] = [];
  const closed = new Set<number>();
  for (let nth = 0; nth < MOST + 5; nth++) {
    const socket = connect({ ...address(), localAddress: '127.0.0.4' });
    socket.on('error', () => {}).once('close', () => closed.add(nth));
    socket.resume();
    await once(socket, 'connect');
    sockets.push(socket);
  }
  const tooMany = new Set(Array.from({ length: 5 }, (_, nth) => MOST + nth));
  await vi.waitFor(() => expect(closed).toEqual(tooMany), { timeout: 9000 });
  expect(await ask('127.0.0.1')).toMatchObject(ANSWERED);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect(await ask('127.0.0.4')).toMatchObject(ANSWERED), {
    timeout: 60_000,
  });
});

it('restarts the thread at the same port when it ends', async () => {
  const before = threads.length;
  await threads.at(-1)?.terminate();
  await vi.waitFor(async () => expect(await ask('127.0.0.1')).toMatchObject(ANSWERED), {
    timeout: 60_000,
  });
  expect(threads.length).toBe(before + 1);
});
