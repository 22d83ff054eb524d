import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { createCsr } from '../runtime/src/identity/csr.ts';
import { newTlsKey } from '../runtime/src/identity/keys.ts';
import { fetchRuntime } from '../server/src/adapters/process-engine/connections.ts';
import { runtimeUrl } from '../server/src/adapters/runtime-pools.ts';
import { SilentProxy } from '../server/test/support/silent-proxy.ts';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

interface StoredIdentity {
  vpn_ip: string;
  wireguard: { public_key: string };
  current: { cert_pem: string; private_key_pem: string; cert_serial: string };
}

const stateDir = (instance_id: string) => join(server.dataDir, 'runtimes', instance_id);
const storedIdentity = (instance_id: string): StoredIdentity =>
  JSON.parse(readFileSync(join(stateDir(instance_id), 'identity.json'), 'utf8'));

async function bundleOf({ base_url }: Pick<Credentials, 'base_url'>): Promise<string> {
  return (await fetch(`${base_url}/v1/public/ca.pem`)).text();
}

function verifies(cert_pem: string, bundle: string): boolean {
  const authorities = (bundle.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  let certificate = new X509Certificate(cert_pem);
  while (certificate.subject !== certificate.issuer) {
    const issuer = authorities.find((authority) => certificate.checkIssued(authority));
    if (!issuer || !certificate.verify(issuer.publicKey)) return false;
    certificate = issuer;
  }
  return certificate.verify(certificate.publicKey);
}

async function requestAs(
  { base_url, mtls_url }: Pick<Credentials, 'base_url' | 'mtls_url'>,
  instance_id: string,
  path: string,
  body: object,
  agent?: Agent,
): Promise<{ status: number; text: string }> {
  const { current } = storedIdentity(instance_id);
  const runtime = server.runtimes().find((one) => one.instance_id === instance_id);
  const proxyKey = variableOf(runtime?.pid, 'PROXY_KEY');
  const ca = await bundleOf({ base_url });
  return new Promise((resolve, reject) => {
    const url = `${mtls_url}/internal/v1/instances/${instance_id}/${path}`;
    const headers = { authorization: `Bearer ${proxyKey}`, 'content-type': 'application/json' };
    const tls = { ca, cert: current.cert_pem, key: current.private_key_pem };
    const asking = request(url, { method: 'POST', headers, ...tls, agent: agent ?? false }, (answer) => {
      readAll(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    asking.on('error', reject);
    asking.end(JSON.stringify(body));
  });
}

async function refreshAs(credentials: Credentials, instance_id: string): Promise<number> {
  const { vpn_ip, wireguard } = storedIdentity(instance_id);
  const body = { vpn_ip, wg_public_key: wireguard.public_key };
  return (await requestAs(credentials, instance_id, 'secrets/refresh', body)).status;
}

async function waitForReplacement(pid: number | undefined): Promise<number> {
  return vi.waitFor(
    async () => {
      const [runtime, ...others] = server.runtimes();
      expect(others).toEqual([]);
      expect(runtime?.pid).toEqual(expect.any(Number));
      expect(runtime?.pid).not.toBe(pid);
      expect((await fetchRuntime(urlOf(runtime?.pid, '/health'))).status).toBe(200);
      return runtime?.pid as number;
    },
    { timeout: 180_000, interval: 100 },
  );
}

/** Where the service reaches a runtime with a network of its own. */
const urlOf = (pid: number | undefined, path: string) =>
  runtimeUrl(`http://127.0.0.1:8700#${variableOf(pid, 'STATE_DIR')}/runtime.sock`, path);

function variableOf(pid: number | undefined, name: string): string | undefined {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The runtime calls the server about the sender. */
const forwardTo = async (pid: number) =>
  fetchRuntime(urlOf(pid, '/messages'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${variableOf(pid, 'MESSAGE_SECRET')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      message_id: randomUUID(),
      conversation_id: randomUUID(),
      channel: 'chatapp',
      external_id: '491700000000',
      customer_id: randomUUID(),
      text: 'Hello',
      received_at: new Date().toISOString(),
      raw: { metadata: { phone_number_id: '1' }, message: { from: '491700000000' } },
    }),
  });

it('is issued once, and survives restarts of the runtime and the server', async () => {
  const environment = { PORT: String(await freePort()), MTLS_PORT: String(await freePort()) };
  const first = await server.start(environment);
  const { instance_id } = await deploy(first);
  await until(first, instance_id, 'running');
  const { cert_pem, cert_serial } = storedIdentity(instance_id).current;
  expect(verifies(cert_pem, await bundleOf(first))).toBe(true);
  expect(new X509Certificate(cert_pem).subjectAltName).toMatch(
    new RegExp(`^URI:spiffe://.+/instance/${instance_id}$`),
  );
  expect(await refreshAs(first, instance_id)).toBe(200);

  const [runtime] = server.runtimes();
  process.kill(runtime?.pid ?? expect.unreachable(), 'SIGKILL');
  const pid = await waitForReplacement(runtime?.pid);
  expect(storedIdentity(instance_id).current.cert_serial).toBe(cert_serial);
  expect(await refreshAs(first, instance_id)).toBe(200);

  await server.end('SIGKILL');
  const second = await server.start(environment);
  expect(server.runtimes()).toEqual([{ pid, instance_id }]);
  expect(await refreshAs(second, instance_id)).toBe(200);

  await server.end('SIGTERM');
  const third = await server.start();
  await waitForReplacement(pid);
  expect(storedIdentity(instance_id).current.cert_serial).toBe(cert_serial);
  expect(await refreshAs(third, instance_id)).toBe(200);
});

it('is deleted when a runtime is stopped, and new after the next start', async () => {
  const credentials = await server.start();
  const { instance_id } = await deploy(credentials);
  await until(credentials, instance_id, 'running');
  const before = storedIdentity(instance_id).current;
  await call(credentials, 'POST', `/v1/instances/${instance_id}/stop`);
  await until(credentials, instance_id, 'stopped');
  expect(existsSync(stateDir(instance_id))).toBe(false);
  await call(credentials, 'POST', `/v1/instances/${instance_id}/start`);
  await until(credentials, instance_id, 'running');
  expect(storedIdentity(instance_id).current.cert_serial).not.toBe(before.cert_serial);
  expect(await refreshAs(credentials, instance_id)).toBe(200);
  await call(credentials, 'DELETE', `/v1/instances/${instance_id}`);
  await until(credentials, instance_id, 'terminated');
  expect(existsSync(stateDir(instance_id))).toBe(false);
});

it('is issued again when the runtime lost it', async () => {
  const credentials = await server.start();
  const { instance_id } = await deploy(credentials);
  await until(credentials, instance_id, 'running');
  const lost = storedIdentity(instance_id).current.cert_serial;
  await rm(join(stateDir(instance_id), 'identity.json'));
  const [runtime] = server.runtimes();
  process.kill(runtime?.pid ?? expect.unreachable(), 'SIGKILL');
  await waitForReplacement(runtime?.pid);
  expect(storedIdentity(instance_id).current.cert_serial).not.toBe(lost);
  expect(await refreshAs(credentials, instance_id)).toBe(200);
});

it('survives the revocation of all proxy keys, which restarts the runtime with a new one', async () => {
  const credentials = await server.start();
  const { instance_id } = await deploy(credentials);
  await until(credentials, instance_id, 'running');
  const [{ pid } = expect.unreachable()] = server.runtimes();
  const [ended, { cert_serial }] = [variableOf(pid, 'PROXY_KEY'), storedIdentity(instance_id).current];
  expect(await refreshAs(credentials, instance_id)).toBe(200);
  await call(credentials, 'DELETE', `/v1/instances/${instance_id}/proxy-key`);
  expect(await refreshAs(credentials, instance_id)).toBe(401);

  // Runtimes refresh after ten seconds at the earliest, and by themselves every five minutes.
  await vi.waitFor(
    async () => {
      await forwardTo(pid).catch(() => {});
      expect(server.runtimes().map((runtime) => runtime.pid)).not.toContain(pid);
    },
    { timeout: 180_000, interval: 500 },
  );
  const next = await waitForReplacement(pid);
  await vi.waitUntil(() => server.output.includes('"how":"code 75"'), { timeout: 180_000 });
  expect(variableOf(next, 'PROXY_KEY')).toMatch(/^apk_/);
  expect(variableOf(next, 'PROXY_KEY')).not.toBe(ended);
  expect(storedIdentity(instance_id).current.cert_serial).toBe(cert_serial);
  expect(await refreshAs(credentials, instance_id)).toBe(200);
});

it('is not issued twice when the server is killed before its answer arrives', async () => {
  const mtlsPort = await freePort();
  const environment = { PORT: String(await freePort()), MTLS_PORT: String(mtlsPort) };
  const first = await server.start(environment);
  const { instance_id } = await deploy(first);
  await until(first, instance_id, 'running');
  const { wireguard } = storedIdentity(instance_id);
  const csr_pem = createCsr(createPrivateKey(newTlsKey()));
  const renewal = { csr_pem, wg_public_key: wireguard.public_key };
  const proxy = await SilentProxy.to(mtlsPort);
  const through = { ...first, mtls_url: `https://127.0.0.1:${proxy.port}` };
  // One connection, so that only the answer comes back on it.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const malformed = { ...renewal, csr_pem: 'x' };
  expect((await requestAs(through, instance_id, 'cert/renew', malformed, agent)).status).toBe(422);

  const answered = proxy.silence();
  const lost = requestAs(through, instance_id, 'cert/renew', renewal, agent).catch(() => 'lost');
  await answered;
  await server.end('SIGKILL');
  proxy.close();
  expect(await lost).toBe('lost');
  const killedAt = Date.now();

  const second = await server.start(environment);
  const answers = await Promise.all([1, 2].map(() => requestAs(second, instance_id, 'cert/renew', renewal)));
  const [one, other] = answers.map(
    ({ text }) => JSON.parse(text) as { cert_pem: string; not_before: string },
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(other).toEqual(one);
  // Issued (five minutes after not_before) before the first server ended.
  expect(Date.parse(one?.not_before ?? '') + 5 * 60_000).toBeLessThan(killedAt);
  expect(verifies(one?.cert_pem ?? '', await bundleOf(second))).toBe(true);
});
