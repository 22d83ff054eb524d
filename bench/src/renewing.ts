import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Call, jsonCall, toBytes } from './call.ts';
import { type Cost, costOf } from './cost.ts';
import { MutualTls } from './load/mutual-tls.ts';
import type { Csr, Runtime } from './runtimes.ts';
import type { World } from './world.ts';

const SIGNING = join(import.meta.dirname, '../signing.mjs');

export interface Issued extends Cost {
  count: number;
  seconds: number;
}

export async function signAlone(
  by: 'library' | 'service',
  csr: Csr,
  atATime: number,
  seconds: number,
): Promise<Issued> {
  const args = [SIGNING, by, csr.path, String(atATime), String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return { ...(JSON.parse(stdout) as Omit<Issued, 'postgres_cpu_ms'>), postgres_cpu_ms: Number.NaN };
}

/**
 * Each runtime renews once, over its own connection.
 *
 * @param connected opens the connections before the measurement
 */
export async function renewEach(
  world: World,
  runtimes: readonly Runtime[],
  atATime: number,
  connected: boolean,
): Promise<Issued> {
  const { service, admin } = world;
  const ca = await (await fetch(`${service.base_url}/v1/public/ca.pem`)).text();
  const { host } = new URL(service.mtls_url);
  const alive = toBytes({ method: 'GET', path: '/healthz' }, host);
  const clients = runtimes.map((runtime) => ({
    runtime,
    connection: new MutualTls(service.mtls_url, { ca, cert: runtime.cert, key: runtime.key }),
    request: toBytes(renewalOf(runtime), host),
  }));
  try {
    if (connected) await forEachConcurrently(clients, atATime, ({ connection }) => connection.send(alive));
    const began = performance.now();
    let seconds = 0;
    const { cpu_ms, postgres_cpu_ms } = await costOf(world, service.pid, async () => {
      await forEachConcurrently(clients, atATime, renew);
      seconds = (performance.now() - began) / 1000;
    });
    const { rows } = await admin.query('select from certificates where replaced_by is not null');
    if (rows.length !== runtimes.length) throw new Error(`${rows.length} certificates were replaced`);
    return { count: runtimes.length, seconds, cpu_ms, postgres_cpu_ms };
  } finally {
    for (const { connection } of clients) connection.close();
    await forgetRenewals(world);
  }
}

interface Client {
  runtime: Runtime;
  connection: MutualTls;
  request: Buffer;
}

function renewalOf({ instance_id, proxy_key, csr_pem, wg_public_key }: Runtime): Call {
  const path = `/internal/v1/instances/${instance_id}/cert/renew`;
  return jsonCall('POST', path, { authorization: `Bearer ${proxy_key}` }, { csr_pem, wg_public_key });
}

async function renew({ runtime, connection, request }: Client): Promise<void> {
  const [status, body] = await connection.send(request);
  const cert_pem = status === 200 && (JSON.parse(body) as { cert_pem: string }).cert_pem;
  if (!cert_pem || cert_pem === runtime.cert) {
    throw new Error(`A renewal was answered with ${status}: ${body}`.slice(0, 500));
  }
  runtime.cert = cert_pem;
}

async function forEachConcurrently<T>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<unknown>,
) {
  const iterator = items[Symbol.iterator]();
  const one = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

/** Otherwise an instance renews once an hour. */
async function forgetRenewals({ admin }: World): Promise<void> {
  await admin.query('delete from enrollment_tokens');
  await admin.query('delete from certificates where revoked_at is not null');
  await admin.query('vacuum certificates');
  await admin.query('checkpoint');
}
