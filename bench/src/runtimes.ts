import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jsonCall, sendExpecting } from './call.ts';
import {
  createCustomer,
  createTenant,
  type FullTenant,
  insertInstance,
  placeOf,
  tenantCall,
} from './fixtures.ts';
import type { World } from './world.ts';

export interface Csr {
  key: string;
  csr_pem: string;
  path: string;
}

export interface Runtime {
  instance_id: string;
  proxy_key: string;
  wg_public_key: string;
  csr_pem: string;
  key: string;
  cert: string;
}

/** P-256, as in the reference runtime. */
export async function newCsr(directory: string): Promise<Csr> {
  const [keyPath, path] = [join(directory, 'runtime.key'), join(directory, 'runtime.csr')];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyPath];
  await promisify(execFile)('openssl', ['req', '-new', ...newKey, '-subj', '/CN=runtime', '-out', path]);
  const [key, csr_pem] = await Promise.all([readFile(keyPath, 'utf8'), readFile(path, 'utf8')]);
  return { key, csr_pem, path };
}

export async function enrolledRuntimes(world: World, csr: Csr, count: number): Promise<Runtime[]> {
  const place = placeOf(world);
  const tenant = await createTenant(place);
  const customer_id = await createCustomer(place, tenant);
  const runtimes: Runtime[] = [];
  while (runtimes.length < count) {
    const instance_id = await insertInstance(place, tenant, customer_id);
    await world.admin.query(
      `update instances set tunnel_address = inet '10.64.0.0' + nextval('tunnel_address_numbers') where id = $1`,
      [instance_id],
    );
    runtimes.push(await enrolled(world, tenant, instance_id, csr));
  }
  return runtimes;
}

async function enrolled(
  { service: { base_url } }: World,
  tenant: FullTenant,
  instance_id: string,
  { key, csr_pem }: Csr,
): Promise<Runtime> {
  const make = <T>(what: string) =>
    sendExpecting<T>(base_url, tenantCall(tenant, 'POST', `/v1/instances/${instance_id}/${what}`, {}), 201);
  const { proxy_key } = await make<{ proxy_key: string }>('proxy-key');
  const token = await make<{ enrollment_token: string; vpn_ip: string }>('enrollment-token');
  const { enrollment_token, vpn_ip } = token;
  const wg_public_key = randomBytes(32).toString('base64');
  const body = { enrollment_token, vpn_ip, csr_pem, wg_public_key };
  const path = `/internal/v1/instances/${instance_id}/enroll`;
  const { cert_pem } = await sendExpecting<{ cert_pem: string }>(
    base_url,
    jsonCall('POST', path, {}, body),
    200,
  );
  return { instance_id, proxy_key, wg_public_key, csr_pem, key, cert: cert_pem };
}
