import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Agent } from 'node:https';
import { BlockList, connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import { operations } from '../../src/areas.ts';
import { findCertificate } from '../../src/certificates/certificates.db.ts';
import { CERTIFICATE_MS, SERVER_CERTIFICATE_MS } from '../../src/certificates/certificates.ts';
import { ListenerCertificate } from '../../src/certificates/listener-certificate.ts';
import { MtlsListener } from '../../src/certificates/mtls-listener.http.ts';
import { revokeCertificate } from '../support/certificates.ts';
import { plainHasher } from '../support/fakes.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { giveCertificate, type Identity, newKey, type TlsOptions, tlsRequest } from '../support/mtls.ts';
import { OpenSsl } from '../support/openssl.ts';
import { OPERATIONS_TOKEN, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const MINUTE_MS = 60_000;
const TUNNEL = { vpn_ip: '10.9.8.7', wg_public_key: randomBytes(32).toString('base64') };

const master_key = randomBytes(32);
let openssl: OpenSsl;
let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let ca: string;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  service = await startTestService({ master_key, runsJobs: false });
  tenant = await service.createTenant();
  ca = await service.service.services.authority.trustBundle();
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});
beforeEach(async () => {
  instance = await addInstance();
});

const startCopy = (options: Parameters<typeof startTestService>[0] = {}) =>
  startTestService({ master_key, runsJobs: false, database: service.database, ...options });

const q = () => service.service.services.db.tenant(tenant.tenant_id);

async function addInstance(): Promise<TestInstance> {
  const made = await insertInstance(service, tenant.tenant_id);
  await service.database.query(
    `update instances set tunnel_address = null, wg_public_key = null where wg_public_key = $1`,
    [TUNNEL.wg_public_key],
  );
  await service.database.query('update instances set tunnel_address = $2, wg_public_key = $3 where id = $1', [
    made.id,
    TUNNEL.vpn_ip,
    TUNNEL.wg_public_key,
  ]);
  return made;
}
const give = (of: TestInstance) =>
  giveCertificate(service, { tenant_id: tenant.tenant_id, instance_id: of.id });

/** The server may close or reset the connection. */
async function untilClosed(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  await new Promise((resolve) => {
    socket.resume().once('close', resolve);
  });
}

interface Asking {
  identity?: Identity;
  headers?: Record<string, string>;
  url?: string;
  agent?: Agent;
}

function refresh({ identity, headers, url = service.mtls_url, agent }: Asking = {}) {
  const at = `${url}/internal/v1/instances/${instance.id}/secrets/refresh`;
  const options = {
    method: 'POST',
    ca,
    body: TUNNEL,
    headers: { authorization: `Bearer ${OPERATIONS_TOKEN}`, ...headers },
    ...(agent && { agent }),
  };
  return tlsRequest(at, { ...options, cert: identity?.cert, key: identity?.key });
}

/** As a proxy that terminates TLS sends it. */
async function refreshBehindProxy(header: string, at: TestService) {
  const { status, text } = await at.operations.request(
    'POST',
    `/internal/v1/instances/${instance.id}/secrets/refresh`,
    { json: TUNNEL, headers: { 'x-forwarded-client-cert': header } },
  );
  return { status, text };
}

const refused = (detail: string) => ({ status: 401, text: JSON.stringify({ detail }) });
const NOT_OURS = refused('The client certificate is not one of this instance');
const NONE = refused('A client certificate is required');

describe('a route that needs a client certificate', () => {
  it('accepts the instance’s and records its first use', async () => {
    const identity = await give(instance);
    const usedAt = async () => (await q().run(findCertificate(identity.row.serial)))?.first_used_at;
    expect(await usedAt()).toBeNull();
    expect(await refresh({ identity })).toMatchObject({ status: 200 });
    const first = await usedAt();
    expect(first).toBeInstanceOf(Date);
    expect(await refresh({ identity })).toMatchObject({ status: 200 });
    expect(await usedAt()).toEqual(first);
  });

  it('refuses a caller without one with the usual error body', async () => {
    const answer = await refresh();
    expect(answer).toMatchObject(NONE);
    expect(answer.headers['x-request-id']).toMatch(/^[\w-]+$/);
    expect(
      (await service.operations.post(`/internal/v1/instances/${instance.id}/secrets/refresh`, TUNNEL)).status,
    ).toBe(401);
  });

  it('needs the bearer credential as well', async () => {
    const identity = await give(instance);
    expect(await refresh({ identity, headers: { authorization: '' } })).toMatchObject({ status: 401 });
  });

  it('refuses one of another authority with the same names', async () => {
    const { row } = await give(instance);
    const x509 = new PeculiarX509();
    const root = await x509.createRoot({ ...row, common_name: 'Agent Control Plane Issuing CA' });
    const issuer = await x509.openIssuer(root);
    const { key, request } = newKey();
    const cert = await issuer.issueRuntime(request, { ...row, common_name: instance.id });
    expect(await refresh({ identity: { cert, key } })).toMatchObject(NOT_OURS);
  });

  it('refuses one that was never issued', async () => {
    const { services } = service.service;
    const { issuer } = await services.authority.current();
    const { row } = await give(instance);
    const { key, request } = newKey();
    const serial = `4${row.serial.slice(1, -4)}0000`;
    const cert = await issuer.issueRuntime(request, { ...row, serial, common_name: instance.id });
    expect(await refresh({ identity: { cert, key } })).toMatchObject(NOT_OURS);
  });

  it('refuses a revoked one and another instance’s', async () => {
    const other = await insertInstance(service, tenant.tenant_id);
    expect(await refresh({ identity: await give(other) })).toMatchObject(NOT_OURS);

    const identity = await give(instance);
    await q().run(revokeCertificate(identity.row.serial, 'unspecified'));
    expect(await refresh({ identity })).toMatchObject(refused('The client certificate has been revoked'));
    const unused = await q().run(findCertificate(identity.row.serial));
    expect(unused?.first_used_at).toBeNull();
  });

  it('refuses a revoked one on resumed and kept connections', async () => {
    const identity = await give(instance);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const agent = new Agent({ maxVersion, keepAlive: false });
      expect(await refresh({ identity, agent })).toMatchObject({ status: 200, resumed: false });
      expect(await refresh({ identity, agent })).toMatchObject({ status: 200, resumed: true });
    }
    const agent = new Agent({ keepAlive: true });
    expect(await refresh({ identity, agent })).toMatchObject({ status: 200 });
    await q().run(revokeCertificate(identity.row.serial, 'unspecified'));
    expect(await refresh({ identity, agent })).toMatchObject({ status: 401 });
    agent.destroy();
  });
});

it('a certificate of a key that is no longer trusted is refused', async () => {
  const identity = await give(instance);
  await service.database.query(
    `update ca_keys set retired_at = now() - interval '9 days' where kind = 'issuing' and retired_at is null`,
  );
  const untilRefresh = (answer: object) =>
    vi.waitFor(async () => expect(await refresh({ identity })).toMatchObject(answer), { timeout: 60_000 });
  await untilRefresh(NOT_OURS);
  await service.database.query(
    `update ca_keys set retired_at = null where retired_at < now() - interval '8 days'`,
  );
  await untilRefresh({ status: 200 });
});

const forwarded = (cert: string) => ({ 'x-forwarded-client-cert': encodeURIComponent(cert) });

describe('X-Forwarded-Client-Cert', () => {
  let behind: TestService;
  beforeAll(async () => {
    const trustedProxies = new BlockList();
    trustedProxies.addSubnet('127.0.0.0', 8);
    behind = await startCopy({ trustedProxies });
  });
  afterAll(() => behind.service.stop());

  it('is accepted from a trusted address with every check', async () => {
    const { cert, row } = await give(instance);
    const encoded = encodeURIComponent(cert);
    const envoys = `By=spiffe://proxy;Hash=00;Subject="CN=${instance.id}";Cert="${encoded}";URI=${row.spiffe_id}`;
    expect(await refreshBehindProxy(encoded, behind)).toMatchObject({ status: 200 });
    expect(await refreshBehindProxy(envoys, behind)).toMatchObject({ status: 200 });
    expect(await refreshBehindProxy(encoded, service)).toEqual(NONE);
    expect(await refreshBehindProxy('Cert="garbage"', behind)).toEqual(NONE);
    await q().run(revokeCertificate(row.serial, 'unspecified'));
    expect(await refreshBehindProxy(encoded, behind)).toEqual(
      refused('The client certificate has been revoked'),
    );
  });

  it('overrides the connection’s certificate only from a trusted proxy', async () => {
    const identity = await give(instance);
    const other = await give(await insertInstance(service, tenant.tenant_id));
    const viaProxy = { identity: other, headers: forwarded(identity.cert) };
    expect(await refresh({ ...viaProxy, url: behind.mtls_url })).toMatchObject({ status: 200 });
    expect(await refresh(viaProxy)).toMatchObject(NOT_OURS);
    expect(await refresh({ identity, headers: forwarded(other.cert) })).toMatchObject({ status: 200 });
    expect(await refresh({ identity, url: behind.mtls_url })).toMatchObject({ status: 200 });
  });
});

const address = (url = service.mtls_url) => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
};

const fingerprint = async (trust: TlsOptions = { ca }, url = service.mtls_url) =>
  (await tlsRequest(`${url}/healthz`, trust)).server;
/** @returns the new key's name */
async function rotate(at = service): Promise<string> {
  const { body } = await at.operations.post<{ issuing_certificate_serial: string }>('/internal/v1/ca/rotate');
  return `Issuing CA ${body.issuing_certificate_serial.slice(0, 8)}`;
}
const notify = (at: TestService) => at.database.query(`notify ca_keys`);

/** Resolves when the server has closed the connection. */
function sendPlain(bytes: string | Buffer): Promise<void> {
  const socket = connect(address());
  socket.write(bytes);
  return untilClosed(socket);
}

/** @returns the whole response */
function sendBytes(bytes: string): Promise<string> {
  const socket = connectTls({ ...address(), ca });
  socket.on('error', () => {});
  socket.write(bytes);
  return readAll(socket);
}

async function shake(url: string, ...args: string[]): Promise<string> {
  const trust = ['-CAfile', await openssl.file(ca), '-verify_return_error'];
  return openssl.text('s_client', '-connect', new URL(url).host, ...trust, ...args);
}

describe('the listener’s certificate', () => {
  it('is valid to openssl', async () => {
    const url = service.mtls_url;
    const text = await shake(url, '-verify_ip', '127.0.0.1', '-x509_strict', '-purpose', 'sslserver');
    expect(text).toContain('Verify return code: 0 (ok)');
    const [, names] = /Acceptable client certificate CA names\n([\s\S]*?)\nRequested/.exec(text) ?? [];
    expect(names).toMatch(/Agent Control Plane Issuing CA .*\n.*Agent Control Plane Root CA/);
    const named = await shake(url, '-verify_hostname', 'localhost', '-tls1_2');
    expect(named).toContain('Verify return code: 0 (ok)');
    await expect(shake(url, '-verify_hostname', 'elsewhere')).rejects.toThrow(/verif/i);
  });

  it('stays when a key of the authority is replaced', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => tlsRequest(`${service.mtls_url}/healthz`, { ca, agent });
    const { server } = await ask();
    const name = await rotate();
    await vi.waitFor(async () => expect(await shake(service.mtls_url)).toContain(name), { timeout: 60_000 });
    expect(await fingerprint()).toBe(server);
    expect(await ask()).toMatchObject({ status: 404, server });
    expect(await refresh({ identity: await give(instance) })).toMatchObject({ status: 200 });
    agent.destroy();
  });
});

/** With every credential. */
const knock = (method: string, path: string) =>
  tlsRequest(service.mtls_url + path.replaceAll(/\{\w+\}/g, instance.id), {
    ca,
    method,
    headers: { 'x-api-key': tenant.key, authorization: `Bearer ${OPERATIONS_TOKEN}` },
  });

describe('connections', () => {
  it.each([
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }, ['TLSv1.2', expect.stringMatching(/-(GCM|POLY1305)/)]],
    ['TLS 1.3', { minVersion: 'TLSv1.3' }, ['TLSv1.3', expect.stringMatching(/_(GCM|POLY1305)/)]],
    [
      'CBC with SHA-1',
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA' },
      'refused',
    ],
    ['CBC with SHA-2', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA384' }, 'refused'],
    ['finite-field groups', { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe2048:ffdhe3072' }, 'refused'],
  ] as const)('that speak only %s', async (_, only, expected) => {
    const { port } = new URL(service.mtls_url);
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(port),
      ca,
      servername: 'localhost',
      ...only,
    });
    const outcome = await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve([socket.getProtocol(), socket.getCipher().name]));
      socket.once('error', () => resolve('refused'));
    });
    socket.destroy();
    expect(outcome).toEqual(expected);
  });

  it('that speak no TLS are closed', async () => {
    for (const bytes of [
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      'NONSENSE',
      randomBytes(70_000),
      '\x16\x03\x01',
    ]) {
      const socket = sendPlain(bytes);
      if (bytes !== '\x16\x03\x01') await socket;
    }
    expect(await tlsRequest(`${service.mtls_url}/healthz`, { ca })).toMatchObject({ status: 404 });
  });

  it('have the usual limits', async () => {
    expect(await sendBytes('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":"[^"]+"\}$/);
    const head = `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`;
    expect(await sendBytes(head)).toMatch(/^HTTP\/1\.1 431 /);
    const odd = 'GET /nowhere HTTP/1.1\r\nExpect: miracles\r\nConnection: close\r\n';
    expect(await sendBytes(`${odd}\r\n`)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":"[^"]+"\}$/);
    expect(await sendBytes(`${odd}Host: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 [\s\S]*\{"detail":"[^"]+"\}$/);
    const { status } = await tlsRequest(
      `${service.mtls_url}/internal/v1/instances/${instance.id}/pin/verify`,
      {
        ca,
        method: 'POST',
        headers: { authorization: `Bearer ${OPERATIONS_TOKEN}` },
        body: { pin: 'x'.repeat(2 ** 20) },
      },
    );
    expect(status).toBe(413);
  });

  it('find the routes for runtimes and nothing else', async () => {
    const found: string[] = [];
    for (const { method, path } of operations) {
      const { status, text } = await knock(method, path);
      if (status !== 404 || !text.includes('Route')) found.push(`${method} ${path}`);
    }
    const forRuntimes = operations.filter(({ credential }) => /^(instance|enrollment)$/.test(credential));
    expect(found).toEqual(forRuntimes.map(({ method, path }) => `${method} ${path}`));
    const others = ['/nowhere', '/', '/metrics', '/openapi.json', '/docs', '/docs/', '/docs/index.html'];
    for (const path of [...others, '/v1/recipes?x', '/V1/me'])
      expect((await knock('GET', path)).status, path).toBe(404);
    expect((await knock('DELETE', '/v1/recipes')).status).toBe(404);
    expect((await knock('GET', '/internal/v1/instances/{id}/enroll')).status).toBe(405);
  });
});

it('a process that serves no clients serves its runtimes here', async () => {
  const copy = await startCopy({ servesClients: false });
  const url = copy.mtls_url;
  expect(await refresh({ identity: await give(instance), url })).toMatchObject({ status: 200 });
  expect((await tlsRequest(`${url}/v1/recipes`, { ca })).status).toBe(404);
  await copy.service.stop();
});

it('runtimes get the public URL where there is one', async () => {
  const public_url = 'https://cp.example.com';
  const copy = await startCopy({ mtls: { names: { hostnames: ['cp.example.com'], ips: [] }, public_url } });
  expect([copy.mtls_url, copy.service.services.settings.mtls_url()]).toEqual([public_url, public_url]);
  await copy.service.stop();
});

it('stopping finishes requests in flight and ends idle connections', async () => {
  const hashing = new EventEmitter();
  const verifying = once(hashing, 'verifying');
  const released = once(hashing, 'released');
  const verify: typeof plainHasher.verify = async (hash, plaintext) => {
    hashing.emit('verifying');
    await released;
    return plainHasher.verify(hash, plaintext);
  };
  const copy = await startCopy({ hasher: { ...plainHasher, verify } });
  const url = copy.mtls_url;
  const { host, port } = address(url);
  const handshake = connect(port, host);
  const silent = connectTls({ host, port, ca });
  await once(silent, 'secureConnect');
  const agent = new Agent({ keepAlive: true });
  await tlsRequest(`${url}/healthz`, { ca, agent });
  const body = { pin: '482913', customer_id: instance.customer_id };
  await tenant.api.post(`/v1/customers/${instance.customer_id}/pin`, { pin: body.pin });
  const headers = { authorization: `Bearer ${OPERATIONS_TOKEN}` };
  const path = `/internal/v1/instances/${instance.id}/pin/verify`;
  const answer = tlsRequest(url + path, { ca, agent, method: 'POST', headers, body });
  await verifying;

  const ended = [handshake, silent].map(untilClosed);
  const stopped = copy.service.stop();
  await Promise.all(ended);
  await expect(tlsRequest(`${url}/healthz`, { ca })).rejects.toThrow('ECONNREFUSED');
  hashing.emit('released');
  expect(await answer).toMatchObject({ status: 200 });
  await stopped;
  agent.destroy();
});

it('a slow handshake is ended although bytes arrive', async () => {
  const { app, services } = service.service;
  const certificate = new ListenerCertificate(services, { hostnames: ['localhost'], ips: [] });
  const listener = new MtlsListener(app, certificate, app.log, 500);
  const socket = connect(address(await listener.listen('127.0.0.1', 0)));
  socket.write(Buffer.of(22, 3, 1, 2, 0, 1));
  const drip = setInterval(() => socket.write(Buffer.of(0)), 100);
  await untilClosed(socket);
  clearInterval(drip);
  await listener.close();
});

it('a certificate ends after 24 hours of the service’s clock', async () => {
  const identity = await give(instance);
  service.clock.advance(CERTIFICATE_MS - MINUTE_MS);
  expect(await refresh({ identity })).toMatchObject({ status: 200 });
  service.clock.advance(MINUTE_MS);
  expect(await refresh({ identity })).toMatchObject(refused('The client certificate has expired'));
});

/** Last: other copies and clients then see keys and certificates from the future. */
describe('as time goes by, the listener’s certificate', () => {
  let copy: TestService;
  beforeAll(async () => {
    copy = await startCopy();
  });
  afterAll(() => copy.service.stop());

  it('is replaced at two thirds of its life', async () => {
    const url = copy.mtls_url;
    const first = await fingerprint({ ca }, url);
    copy.clock.advance((SERVER_CERTIFICATE_MS * 2) / 3 - MINUTE_MS);
    const name = await rotate(copy);
    await vi.waitFor(async () => expect(await shake(url)).toContain(name), { timeout: 60_000 });
    expect(await fingerprint({ ca }, url)).toBe(first);
    copy.clock.advance(MINUTE_MS);
    await notify(copy);
    // To this client's clock the certificate is not valid yet.
    const replaced = () => fingerprint({ rejectUnauthorized: false }, url);
    await vi.waitFor(async () => expect(await replaced()).not.toBe(first), { timeout: 60_000 });
  });

  it('listens where it is told, apart from the API', async () => {
    const names = { hostnames: ['localhost'], ips: ['127.0.0.2'] };
    const apart = await startCopy({ mtls: { host: '127.0.0.2', names, public_url: undefined } });
    onTestFinished(() => apart.service.stop());
    expect([new URL(apart.base_url).hostname, new URL(apart.mtls_url).hostname]).toEqual([
      '127.0.0.1',
      '127.0.0.2',
    ]);
    const asked = tlsRequest(`${apart.mtls_url}/healthz`, { rejectUnauthorized: false });
    expect(await asked).toMatchObject({ status: 404 });
  });

  it('is checked once a minute, also after a failure', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { services } = copy.service;
    const events = new EventEmitter();
    const log = { info: () => {}, warn: () => {}, error: () => events.emit('failed') };
    const names = { hostnames: ['localhost'], ips: [] };
    const certificate = new ListenerCertificate({ ...services, log }, names);
    const { credentials, stop: unfollow } = await certificate.follow(({ cert_pem }) =>
      events.emit('changed', cert_pem),
    );

    const failed = once(events, 'failed');
    await copy.database.query('alter table ca_keys rename to ca_keys_away');
    await notify(copy);
    await failed;
    await copy.database.query('alter table ca_keys_away rename to ca_keys');

    copy.clock.advance((SERVER_CERTIFICATE_MS * 2) / 3);
    const changed = once(events, 'changed');
    vi.advanceTimersByTime(MINUTE_MS);
    expect(await changed).not.toEqual([credentials.cert_pem]);
    unfollow();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
