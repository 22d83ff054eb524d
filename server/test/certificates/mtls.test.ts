import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Agent } from 'node:https';
import { BlockList, connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import { findCertificate } from '../../src/certificates/certificates.db.ts';
import { CERTIFICATE_MS, SERVER_CERTIFICATE_MS } from '../../src/certificates/certificates.ts';
import { ListenerCertificate } from '../../src/certificates/listener-certificate.ts';
import { revokeCertificate } from '../support/certificates.ts';
import { plainHasher } from '../support/fakes.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { giveCertificate, type Identity, newKey, tlsRequest } from '../support/mtls.ts';
import { OpenSsl } from '../support/openssl.ts';
import {
  OPERATIONS_TOKEN,
  PASSWORD,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/service.ts';

const MINUTE_MS = 60_000;
const TUNNEL = { vpn_ip: '10.9.8.7', wg_public_key: randomBytes(32).toString('base64') };

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let ca: string;

async function start(overrides: Parameters<typeof startTestService>[0] = {}) {
  service = await startTestService({ runsJobs: false, ...overrides });
  tenant = await service.createTenant();
  ca = await service.service.services.authority.trustBundle();
}
const stop = () => service.stop();

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

/** A server that has heard enough closes, and may reset. */
async function untilClosed(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  await new Promise((resolve) => {
    socket.resume().once('close', resolve);
  });
}

/** A connection that begins a handshake, goes on a byte a second, and never ends it. */
let slow: { of: TestService; ended: Promise<void> };
beforeAll(async () => {
  const of = await startTestService({ runsJobs: false });
  const socket = connect(address(of));
  socket.write(Buffer.of(22, 3, 1, 2, 0, 1));
  const drip = setInterval(() => socket.write(Buffer.of(0)), 1000);
  slow = { of, ended: untilClosed(socket).finally(() => clearInterval(drip)) };
});
afterAll(() => slow.of.stop());

interface Asking {
  identity?: Identity;
  headers?: Record<string, string>;
  url?: string;
  agent?: Agent;
}

/** Asks for an instance's secrets, which wants its certificate. */
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

/** The same over plain HTTP, as from behind a proxy that ends TLS. */
async function refreshBehindProxy(header: string, at = service) {
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

describe('a route that wants a client certificate', () => {
  beforeAll(() => start());
  beforeEach(async () => {
    instance = await addInstance();
  });
  afterAll(stop);

  it('takes the instance’s, and notes when it was used first', async () => {
    const identity = await give(instance);
    const usedAt = async () =>
      (await service.service.services.db.system.run(findCertificate(identity.row.serial)))?.first_used_at;
    expect(await usedAt()).toBeNull();
    expect(await refresh({ identity })).toMatchObject({ status: 200 });
    const first = await usedAt();
    expect(first).toBeInstanceOf(Date);
    expect(await refresh({ identity })).toMatchObject({ status: 200 });
    expect(await usedAt()).toEqual(first);
  });

  it('refuses a caller without one, in the words of every other failure', async () => {
    const answer = await refresh();
    expect(answer).toMatchObject(NONE);
    expect(answer.headers['x-request-id']).toMatch(/^[\w-]+$/);
    expect(
      (await service.operations.post(`/internal/v1/instances/${instance.id}/secrets/refresh`, TUNNEL)).status,
    ).toBe(401);
  });

  it('wants the bearer credential as well', async () => {
    const identity = await give(instance);
    expect(await refresh({ identity, headers: { authorization: '' } })).toMatchObject({ status: 401 });
  });

  it('refuses one of another authority that says the same', async () => {
    const { row } = await give(instance);
    const x509 = new PeculiarX509();
    const root = await x509.createRoot({ ...row, common_name: 'Agent Control Plane Issuing CA' });
    const issuer = await x509.openIssuer(root);
    const { key, request } = newKey();
    const cert = await issuer.issueClient(request, { ...row, common_name: instance.id });
    expect(await refresh({ identity: { cert, key } })).toMatchObject(NOT_OURS);
  });

  it('refuses one that was never issued', async () => {
    const { services } = service.service;
    const { issuer } = await services.authority.current();
    const { row } = await give(instance);
    const { key, request } = newKey();
    const serial = `4${row.serial.slice(1, -4)}0000`;
    const cert = await issuer.issueClient(request, { ...row, serial, common_name: instance.id });
    expect(await refresh({ identity: { cert, key } })).toMatchObject(NOT_OURS);
  });

  it('refuses another instance’s, and one that is revoked', async () => {
    const other = await insertInstance(service, tenant.tenant_id);
    expect(await refresh({ identity: await give(other) })).toMatchObject(NOT_OURS);

    const identity = await give(instance);
    const q = service.service.services.db.tenant(tenant.tenant_id);
    await q.run(revokeCertificate(identity.row.serial, 'unspecified'));
    expect(await refresh({ identity })).toMatchObject(refused('The client certificate has been revoked'));
    const unused = await q.run(findCertificate(identity.row.serial));
    expect(unused?.first_used_at).toBeNull();
  });

  it('takes it on a connection that takes up an earlier one, and forgets none of this', async () => {
    const identity = await give(instance);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const agent = new Agent({ maxVersion, keepAlive: false });
      expect(await refresh({ identity, agent })).toMatchObject({ status: 200, resumed: false });
      expect(await refresh({ identity, agent })).toMatchObject({ status: 200, resumed: true });
    }
    const agent = new Agent({ keepAlive: true });
    expect(await refresh({ identity, agent })).toMatchObject({ status: 200 });
    const q = service.service.services.db.tenant(tenant.tenant_id);
    await q.run(revokeCertificate(identity.row.serial, 'unspecified'));
    expect(await refresh({ identity, agent })).toMatchObject({ status: 401 });
    agent.destroy();
  });
});

describe('time', () => {
  beforeEach(async () => {
    await start();
    instance = await addInstance();
  });
  afterEach(stop);

  it('ends a certificate after 24 hours of the service’s clock', async () => {
    const identity = await give(instance);
    service.clock.advance(CERTIFICATE_MS - MINUTE_MS);
    expect(await refresh({ identity })).toMatchObject({ status: 200 });
    service.clock.advance(MINUTE_MS);
    expect(await refresh({ identity })).toMatchObject(refused('The client certificate has expired'));
  });

  it('ends those of a key that is trusted no more', async () => {
    const identity = await give(instance);
    await service.database.query(
      `update ca_keys set retired_at = now() - interval '9 days' where kind = 'issuing'`,
    );
    await vi.waitFor(async () => expect(await refresh({ identity })).toMatchObject(NOT_OURS), {
      timeout: 60_000,
    });
  });
});

const forwarded = (cert: string) => ({ 'x-forwarded-client-cert': encodeURIComponent(cert) });

describe('X-Forwarded-Client-Cert', () => {
  let behind: TestService;
  beforeAll(async () => {
    const master_key = randomBytes(32);
    await start({ master_key });
    const trustedProxies = new BlockList();
    trustedProxies.addSubnet('127.0.0.0', 8);
    behind = await startTestService({
      runsJobs: false,
      master_key,
      database: service.database,
      trustedProxies,
    });
    instance = await addInstance();
  });
  afterAll(async () => {
    await behind.service.stop();
    await stop();
  });

  it('counts from a trusted address, in both forms, with every check', async () => {
    const { cert, row } = await give(instance);
    const encoded = encodeURIComponent(cert);
    const envoys = `By=spiffe://proxy;Hash=00;Subject="CN=${instance.id}";Cert="${encoded}";URI=${row.spiffe_id}`;
    expect(await refreshBehindProxy(encoded, behind)).toMatchObject({ status: 200 });
    expect(await refreshBehindProxy(envoys, behind)).toMatchObject({ status: 200 });
    expect(await refreshBehindProxy(encoded)).toEqual(NONE);
    expect(await refreshBehindProxy('Cert="garbage"', behind)).toEqual(NONE);
    const q = service.service.services.db.tenant(tenant.tenant_id);
    await q.run(revokeCertificate(row.serial, 'unspecified'));
    expect(await refreshBehindProxy(encoded, behind)).toEqual(
      refused('The client certificate has been revoked'),
    );
  });

  it('counts before the connection’s own certificate when a trusted proxy sends it, and only then', async () => {
    const identity = await give(instance);
    const other = await give(await insertInstance(service, tenant.tenant_id));
    const viaProxy = { identity: other, headers: forwarded(identity.cert) };
    expect(await refresh({ ...viaProxy, url: behind.mtls_url })).toMatchObject({ status: 200 });
    expect(await refresh(viaProxy)).toMatchObject(NOT_OURS);
    expect(await refresh({ identity, headers: forwarded(other.cert) })).toMatchObject({ status: 200 });
    expect(await refresh({ identity, url: behind.mtls_url })).toMatchObject({ status: 200 });
  });
});

const address = (of = service) => {
  const { hostname, port } = new URL(of.mtls_url);
  return { host: hostname, port: Number(port) };
};

/** Who the listener says that it is, to a client that trusts nobody else. */
const fingerprint = async () => (await tlsRequest(`${service.mtls_url}/healthz`, { ca })).server;
const later = async () =>
  (await tlsRequest(`${service.mtls_url}/healthz`, { rejectUnauthorized: false })).server;
/** @returns the new key's name */
async function rotate(): Promise<string> {
  const { body } = await service.operations.post<{ issuing_certificate_serial: string }>(
    '/internal/v1/ca/rotate',
  );
  return `Issuing CA ${body.issuing_certificate_serial.slice(0, 8)}`;
}
const notify = () => service.database.query(`notify ca_keys`);

/** Bytes as they are, not encrypted. Resolves when the other side has ended. */
function sendPlain(bytes: string | Buffer): Promise<void> {
  const socket = connect(address());
  socket.write(bytes);
  return untilClosed(socket);
}

/** Bytes as they are inside TLS. @returns all that came back */
function sendBytes(bytes: string): Promise<string> {
  const socket = connectTls({ ...address(), ca });
  socket.on('error', () => {});
  socket.write(bytes);
  return readAll(socket);
}

describe('the listener’s certificate', () => {
  let openssl: OpenSsl;
  beforeAll(async () => {
    openssl = await OpenSsl.open();
  });
  beforeEach(() => start());
  afterEach(stop);
  afterAll(() => openssl.close());

  /** What openssl says of a handshake. */
  async function shake(...args: string[]): Promise<string> {
    const { host } = new URL(service.mtls_url);
    const trust = ['-CAfile', await openssl.file(ca), '-verify_return_error'];
    return openssl.text('s_client', '-connect', host, ...trust, ...args);
  }

  it('is right to openssl, and asks for those of the trusted keys', async () => {
    const text = await shake('-verify_ip', '127.0.0.1', '-x509_strict', '-purpose', 'sslserver');
    expect(text).toContain('Verify return code: 0 (ok)');
    const [, names] = /Acceptable client certificate CA names\n([\s\S]*?)\nRequested/.exec(text) ?? [];
    expect(names).toMatch(/Agent Control Plane Issuing CA .*\n.*Agent Control Plane Root CA/);
    expect(await shake('-verify_hostname', 'localhost', '-tls1_2')).toContain('Verify return code: 0 (ok)');
    await expect(shake('-verify_hostname', 'elsewhere')).rejects.toThrow(/verif/i);
  });

  it('stays when a key of the authority is replaced, while connections go on and the new key is asked for', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => tlsRequest(`${service.mtls_url}/healthz`, { ca, agent });
    const { server } = await ask();
    const name = await rotate();
    await vi.waitFor(async () => expect(await shake()).toContain(name), { timeout: 60_000 });
    expect(await fingerprint()).toBe(server);
    expect(await ask()).toMatchObject({ status: 200, server });
    instance = await addInstance();
    expect(await refresh({ identity: await give(instance) })).toMatchObject({ status: 200 });
    agent.destroy();
  });

  it('is replaced at two thirds of its life', async () => {
    const first = await fingerprint();
    service.clock.advance((SERVER_CERTIFICATE_MS * 2) / 3 - MINUTE_MS);
    const name = await rotate();
    await vi.waitFor(async () => expect(await shake()).toContain(name), { timeout: 60_000 });
    expect(await fingerprint()).toBe(first);
    service.clock.advance(MINUTE_MS);
    await notify();
    await vi.waitFor(async () => expect(await later()).not.toBe(first), { timeout: 60_000 });
  });

  it('is looked after once a minute, whether anybody says so or not, and outlives a failure', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { services } = service.service;
    const told = new EventEmitter();
    const log = { info: () => {}, warn: () => {}, error: () => told.emit('failed') };
    const certificate = new ListenerCertificate({ ...services, log }, { hostnames: ['localhost'], ips: [] });
    const { credentials, stop: unfollow } = await certificate.follow(({ cert_pem }) =>
      told.emit('changed', cert_pem),
    );

    const failed = once(told, 'failed');
    await service.database.query('alter table ca_keys rename to ca_keys_away');
    await notify();
    await failed;
    await service.database.query('alter table ca_keys_away rename to ca_keys');

    service.clock.advance((SERVER_CERTIFICATE_MS * 2) / 3);
    const changed = once(told, 'changed');
    vi.advanceTimersByTime(MINUTE_MS);
    expect(await changed).not.toEqual([credentials.cert_pem]);
    unfollow();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe('connections', () => {
  beforeAll(() => start());
  afterAll(stop);

  it('that speak no TLS are ended, and others go on', async () => {
    for (const bytes of [
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      'NONSENSE',
      randomBytes(70_000),
      '\x16\x03\x01',
    ]) {
      const socket = sendPlain(bytes);
      if (bytes !== '\x16\x03\x01') await socket;
    }
    expect(await tlsRequest(`${service.mtls_url}/healthz`, { ca })).toMatchObject({ status: 200 });
  });

  it('have the limits of every other', async () => {
    expect(await sendBytes('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":"[^"]+"\}$/);
    const head = `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`;
    expect(await sendBytes(head)).toMatch(/^HTTP\/1\.1 431 /);
    const odd = 'GET /nowhere HTTP/1.1\r\nExpect: miracles\r\nConnection: close\r\n';
    expect(await sendBytes(`${odd}\r\n`)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":"[^"]+"\}$/);
    expect(await sendBytes(`${odd}Host: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 [\s\S]*\{"detail":"[^"]+"\}$/);
    const { status } = await tlsRequest(`${service.mtls_url}/v1/recipes`, {
      ca,
      method: 'POST',
      headers: { 'x-api-key': tenant.key },
      body: { name: 'R', description: 'x'.repeat(2 ** 20) },
    });
    expect(status).toBe(413);
  });

  it('reach every route', async () => {
    const { status } = await tlsRequest(`${service.mtls_url}/v1/recipes`, {
      ca,
      headers: { 'x-api-key': tenant.key },
    });
    expect(status).toBe(200);
    expect((await tlsRequest(`${service.mtls_url}/nowhere`, { ca })).status).toBe(404);
  });
});

describe('a process that runs jobs and serves no clients', () => {
  it('serves its runtimes here', async () => {
    await start({ servesClients: false });
    instance = await addInstance();
    expect(await refresh({ identity: await give(instance) })).toMatchObject({ status: 200 });
    const { status } = await tlsRequest(`${service.mtls_url}/v1/recipes`, { ca });
    expect(status).toBe(404);
    await stop();
  });
});

it('is known to runtimes by its public URL where there is one', async () => {
  const public_url = 'https://cp.example.com';
  await start({ mtls: { names: { hostnames: ['cp.example.com'], ips: [] }, public_url } });
  expect([service.mtls_url, service.service.services.settings.mtls_url()]).toEqual([public_url, public_url]);
  await stop();
});

describe('stopping', () => {
  it('finishes what is in flight, and waits for nobody else', async () => {
    const login = new EventEmitter();
    const verifying = once(login, 'verifying');
    const released = once(login, 'released');
    const verify: typeof plainHasher.verify = async (hash, plaintext) => {
      login.emit('verifying');
      await released;
      return plainHasher.verify(hash, plaintext);
    };
    await start({ hasher: { ...plainHasher, verify } });
    const { host, port } = address();
    const handshake = connect(port, host);
    const silent = connectTls({ host, port, ca });
    await once(silent, 'secureConnect');
    const agent = new Agent({ keepAlive: true });
    await tlsRequest(`${service.mtls_url}/healthz`, { ca, agent });
    const body = { email: tenant.admin_email, password: PASSWORD };
    const answer = tlsRequest(`${service.mtls_url}/auth/login`, { ca, agent, method: 'POST', body });
    await verifying;

    const ended = [handshake, silent].map(untilClosed);
    const since = performance.now();
    const stopped = stop();
    await Promise.all(ended);
    // A handshake ends by itself ten seconds after it began.
    expect(performance.now() - since).toBeLessThan(9000);
    await expect(tlsRequest(`${service.mtls_url}/healthz`, { ca })).rejects.toThrow('ECONNREFUSED');
    login.emit('released');
    expect(await answer).toMatchObject({ status: 200 });
    await stopped;
    agent.destroy();
  });
});

it('ends a handshake that takes longer than ten seconds', async () => {
  await expect(slow.ended).resolves.toBeUndefined();
});
