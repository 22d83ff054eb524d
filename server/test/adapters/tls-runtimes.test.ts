import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createPlainTlsServer } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { HttpRuntimeClient } from '../../src/adapters/http-runtime-client.ts';
import { x509 } from '../../src/adapters/x509/library.ts';
import { madeUpChain } from '../support/chains.ts';
import type { Identity } from '../support/mtls.ts';
import { OpenSsl } from '../support/openssl.ts';
import { nameOf, TestAuthority, TRUST_DOMAIN } from '../support/runtime-certificates.ts';

const SECRET = 'the-message-secret';
const ID = randomUUID();
const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;

let authority: TestAuthority;
let other: TestAuthority;
beforeAll(async () => {
  [authority, other] = await Promise.all([TestAuthority.make(), TestAuthority.make()]);
});

interface TestRuntime {
  address: string;
  server: Server;
  /** Bytes inside TLS: what a server that is not the runtime would read. */
  bytes: () => number;
  requests: () => number;
  connections: () => number;
}

async function serve({ cert, key }: Identity, port = 0): Promise<TestRuntime> {
  let [bytes, requests, connections] = [0, 0, 0];
  const server = createTlsServer({ cert, key }, (request, response) => {
    requests++;
    request.resume().once('end', () => response.end('{}'));
  });
  server.on('secureConnection', (socket) => {
    connections++;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}#${ID}`;
  return { address, server, bytes: () => bytes, requests: () => requests, connections: () => connections };
}

function clientOf(
  trust: { bundle?: () => string; isInUse?: (raw: Buffer) => boolean } = {},
): HttpRuntimeClient {
  const { bundle = () => authority.bundle, isInUse = () => true } = trust;
  const client = new HttpRuntimeClient({
    trust_domain: TRUST_DOMAIN,
    trustBundle: async () => bundle(),
    isInUse: async (instance_id, { raw, serialNumber }) =>
      instance_id === ID && serialNumber !== '' && isInUse(raw),
  });
  onTestFinished(() => client.close());
  return client;
}

const NOT_IT = 'The runtime did not answer PUT /secrets: another program listens at its address: ';

async function expectRefused(client: HttpRuntimeClient, runtime: TestRuntime, why: string): Promise<void> {
  await expect(client.putSecrets(runtime.address, SECRET, { a: 'credential' })).rejects.toThrow(NOT_IT + why);
  expect(await client.isHealthy(runtime.address)).toBe(false);
  expect([runtime.bytes(), runtime.requests()]).toEqual([0, 0]);
}

test('the runtime with the instance’s own certificate is sent secrets and messages', async () => {
  const runtime = await serve(await authority.runtime(ID));
  const client = clientOf();
  await client.putSecrets(runtime.address, SECRET, {});
  await client.postMessage(runtime.address, SECRET, {});
  expect(await client.isHealthy(runtime.address)).toBe(true);
  expect(runtime.requests()).toBe(3);
});

test('a connection is used again', async () => {
  const runtime = await serve(await authority.runtime(ID));
  const client = clientOf();
  for (let call = 1; call <= 20; call++) await client.isHealthy(runtime.address);
  // The next call may come before the body of the last one.
  expect([runtime.requests(), runtime.connections() <= 2]).toEqual([20, true]);
});

describe('not a byte of a request goes to', () => {
  const ANOTHER_NAME = 'its certificate has another name';
  test.each<[string, () => Promise<Identity>, string]>([
    ['another instance', () => authority.runtime(randomUUID()), ANOTHER_NAME],
    ['another trust domain', () => authority.runtime(ID, {}, 'elsewhere.test'), ANOTHER_NAME],
    [
      'one with a further name',
      () => authority.other(names(nameOf(ID), nameOf(randomUUID())), [serverAuth], 'authority'),
      ANOTHER_NAME,
    ],
    ['a name that only begins alike', () => authority.runtime(`${ID}/x`), ANOTHER_NAME],
    ['the service’s own listener', () => listenerIdentity(), ANOTHER_NAME],
    ['another authority', () => other.runtime(ID), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    [
      'one that signed for itself',
      () => authority.other(names(nameOf(ID)), [serverAuth], 'itself'),
      'DEPTH_ZERO',
    ],
    ['an expired certificate', () => authority.runtime(ID, { from: -2, until: -1 }), 'CERT_HAS_EXPIRED'],
    ['one of tomorrow', () => authority.runtime(ID, { from: 1, until: 2 }), 'CERT_NOT_YET_VALID'],
    [
      'a certificate for clients alone',
      () => authority.other(names(nameOf(ID)), [clientAuth], 'authority'),
      'INVALID_PURPOSE',
    ],
  ])('%s', async (_who, identity, why) => {
    await expectRefused(clientOf(), await serve(await identity()), why);
  });

  test('a revoked certificate', async () => {
    const client = clientOf({ isInUse: () => false });
    await expectRefused(client, await serve(await authority.runtime(ID)), 'its certificate is not in use');
  });

  test('the next that has its address', async () => {
    const client = clientOf();
    const runtime = await serve(await authority.runtime(ID));
    await client.putSecrets(runtime.address, SECRET, {});
    runtime.server.closeAllConnections();
    await new Promise((resolve) => runtime.server.close(resolve));
    const next = await serve(await authority.runtime(randomUUID()), Number(new URL(runtime.address).port));
    await expectRefused(client, next, ANOTHER_NAME);
  });
});

const names = (...uris: string[]): x509.JsonGeneralNames => uris.map((value) => ({ type: 'url', value }));

async function listenerIdentity(): Promise<Identity> {
  const soon = new Date(Date.now() + 86_400_000);
  const terms = { serial: '4a', not_before: new Date(Date.now() - 1000), not_after: soon };
  const made = await authority.issuer.issueServer({ ...terms, hostnames: ['localhost'], ips: ['127.0.0.1'] });
  return { cert: made.cert_pem, key: made.private_key_pem };
}

test('a handshake that would take long to verify is broken off', async () => {
  const openssl = await OpenSsl.open();
  onTestFinished(() => openssl.close());
  // No curve is as slow: without a limit it takes the event loop for half a second.
  const runtime = await serve(await madeUpChain(openssl, { curve: 'sect571r1', count: 40 }));
  await expectRefused(clientOf(), runtime, 'its handshake is too long');
});

test('a renewal changes nothing for the connection that is open', async () => {
  const runtime = await serve(await authority.runtime(ID));
  let asked = 0;
  const client = clientOf({ isInUse: () => ++asked > 0 });
  await client.putSecrets(runtime.address, SECRET, {});
  runtime.server.setSecureContext(await authority.runtime(ID));
  await client.putSecrets(runtime.address, SECRET, {});
  expect([runtime.connections(), asked]).toEqual([1, 1]);
  runtime.server.closeAllConnections();
  await expect.poll(() => client.isHealthy(runtime.address)).toBe(true);
  expect([runtime.connections(), asked]).toEqual([2, 2]);
});

test('new connections follow a change of the authority', async () => {
  let trusted = authority;
  const client = clientOf({ bundle: () => trusted.bundle });
  const [old, young] = [await serve(await authority.runtime(ID)), await serve(await other.runtime(ID))];
  expect([await client.isHealthy(old.address), await client.isHealthy(young.address)]).toEqual([true, false]);
  trusted = other;
  old.server.closeAllConnections();
  await expect.poll(() => client.isHealthy(old.address)).toBe(false);
  expect(await client.isHealthy(young.address)).toBe(true);
});

test('a server that answers in clear gets no request', async () => {
  let requests = 0;
  const server = createHttpServer((_request, response) => {
    requests++;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}#${ID}`;
  await expect(clientOf().putSecrets(address, SECRET, {})).rejects.toThrow('The runtime did not answer');
  expect(requests).toBe(0);
});

test('one that never finishes the handshake is given up', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = clientOf();
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}#${ID}`;
  expect(await client.isHealthy(address)).toBe(false);
  const waiting = client.putSecrets(address, SECRET, {});
  await Promise.all([expect(waiting).rejects.toThrow('The runtime did not answer'), client.close()]);
});

test('what is no HTTP is told as such', async () => {
  const { cert, key } = await authority.runtime(ID);
  const server = createPlainTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => {}).once('data', () => socket.write('no HTTP'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}#${ID}`;
  await expect(clientOf().putSecrets(address, SECRET, {})).rejects.toThrow(
    'The runtime did not answer PUT /secrets: HTTPParserError',
  );
});

test.each(['https://127.0.0.1:1', 'https://127.0.0.1:1#1.2', `https://127.0.0.1:1#${ID}/../x`])(
  'nothing is connected with for the address %s',
  async (address) => {
    await expect(clientOf().putSecrets(address, SECRET, {})).rejects.toThrow('The runtime did not answer');
  },
);
