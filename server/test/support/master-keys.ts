import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { issueCertificate } from '../../src/certificates/certificates.ts';
import type { MasterKeyStore } from '../../src/secrets/master-key-store.port.ts';
import { MasterKeys } from '../../src/secrets/master-keys.ts';
import type { TestDatabase } from './database.ts';
import { insertInstance, type TestInstance } from './instances.ts';
import type { OpenSsl } from './openssl.ts';
import { PinRoutes } from './pins.ts';
import { PASSWORD, type TestService, type TestTenant } from './service.ts';

const PIN = '483920';
const CREDENTIALS = { client_secret: 'the-connection’s-secret' };

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Secrets of each kind, sealed by one copy of the service for others to open. */
export class SealedThings {
  readonly tenant: TestTenant;
  readonly #instance: TestInstance;
  #tokens: Tokens;
  readonly #csr: string;
  readonly #bundle: string;

  private constructor(
    tenant: TestTenant,
    instance: TestInstance,
    tokens: Tokens,
    csr: string,
    bundle: string,
  ) {
    this.tenant = tenant;
    this.#instance = instance;
    this.#tokens = tokens;
    this.#csr = csr;
    this.#bundle = bundle;
  }

  static async make(service: TestService, openssl: OpenSsl): Promise<SealedThings> {
    const tenant = await service.createTenant();
    const instance = await insertInstance(service, tenant.tenant_id);
    const customer = `/v1/customers/${instance.customer_id}`;
    const connection = await tenant.api.post<{ id: string }>(`${customer}/connections`, {
      provider: 'google_drive',
      credentials: CREDENTIALS,
    });
    await service.database.query(
      'insert into instance_grants (tenant_id, instance_id, connection_id) values ($1, $2, $3)',
      [tenant.tenant_id, instance.id, connection.body.id],
    );
    expect((await tenant.api.post(`${customer}/pin`, { pin: PIN })).status).toBe(201);
    const login = { email: tenant.admin_email, password: PASSWORD };
    const tokens = await service.anonymous.post<Tokens>('/auth/login', login);
    const csr = await openssl.request(await openssl.key('P-256'));
    return new SealedThings(tenant, instance, tokens.body, csr, await bundleOf(service));
  }

  /** A copy reads all keys from the database the first time. */
  async expectOpenOn(service: TestService): Promise<void> {
    const { tenant_id, key } = this.tenant;
    const { services } = service.service;
    const { body } = await new PinRoutes(service.operations, this.#instance.id).verify(PIN);
    expect(body).toMatchObject({ verified: true });
    const session = service.anonymous.with({ authorization: `Bearer ${this.#tokens.access_token}` });
    expect((await session.get('/v1/me')).status).toBe(200);
    const { refresh_token } = this.#tokens;
    const refreshed = await service.anonymous.post<Tokens>('/auth/refresh', { refresh_token });
    expect(refreshed.status).toBe(200);
    this.#tokens = refreshed.body;
    const api = service.anonymous.with({ 'x-api-key': key });
    expect((await api.post(`/v1/instances/${this.#instance.id}/proxy-key`)).status).toBe(201);
    expect(JSON.stringify(service.runtimes.secrets.at(-1))).toContain(CREDENTIALS.client_secret);
    const instance = await insertInstance(service, tenant_id);
    const request = await services.x509.readRequest(this.#csr);
    await issueCertificate(services, services.db.tenant(tenant_id), instance.id, request);
    expect(await bundleOf(service)).toBe(this.#bundle);
  }
}

const bundleOf = async (service: TestService) => (await service.anonymous.get('/v1/public/ca.pem')).text;

interface WrappedColumn {
  context: string;
  value: Buffer;
}

const wrappedValues = (database: TestDatabase) =>
  database.query<WrappedColumn>(
    `select 'tenant-key:' || id as context, wrapped_key as value from tenants where not is_platform
     union all select 'service-key:' || id, wrapped_key from service_keys
     union all select 'ca-key:' || id, sealed_private_key from ca_keys
     union all select 'chain-head:' || tenant_id || '/' || chain, sealed from chain_heads`,
  );

export async function countOpenedBy(
  database: TestDatabase,
  key: Buffer,
  ...others: Buffer[]
): Promise<number> {
  const masterKeys = new MasterKeys(key, others);
  const opens = ({ context, value }: WrappedColumn) => {
    try {
      return masterKeys.unwrap(value, context).length > 0;
    } catch {
      return false;
    }
  };
  return (await wrappedValues(database)).filter(opens).length;
}

export const countWrapped = async (database: TestDatabase) => (await wrappedValues(database)).length;

/** Version 1 does not name the key. */
export async function forgetKeyIds(database: TestDatabase): Promise<void> {
  await database.query(`update tenants set wrapped_key = substr(wrapped_key, 10) where not is_platform`);
  await database.query(`update service_keys set wrapped_key = substr(wrapped_key, 10)`);
  await database.query(`update ca_keys set sealed_private_key = substr(sealed_private_key, 10)`);
  await database.query(`update chain_heads set sealed = substr(sealed, 10)`);
  await database.query(`delete from master_keys`);
}

/** `key` wraps the tenant's data key and the head of its chain. */
export function newTenantUnder(key: Buffer): { text: string; values: unknown[] } {
  const id = randomUUID();
  const wrapped = new MasterKeys(key).wrap(randomBytes(32), `tenant-key:${id}`);
  const head = new MasterKeys(key).wrap('head', `chain-head:${id}/changes`);
  return {
    text: `with tenant as (insert into tenants (id, name, wrapped_key) values ($1, 'Late', $2))
           insert into chain_heads (tenant_id, chain, sealed) values ($1, 'changes', $3)`,
    values: [id, wrapped, head],
  };
}

/** Calls back before and after each write, so that a test can fail there. */
export class WatchedStore implements MasterKeyStore {
  readonly #store: MasterKeyStore;
  readonly #at: (step: string) => void;

  constructor(store: MasterKeyStore, at: (step: string) => void) {
    this.#store = store;
    this.#at = at;
  }

  async add(key: Buffer): Promise<void> {
    this.#at('add');
    await this.#store.add(key);
    this.#at('added');
  }

  async keepOnly(key: Buffer): Promise<void> {
    this.#at('keepOnly');
    await this.#store.keepOnly(key);
    this.#at('keptOnly');
  }
}
