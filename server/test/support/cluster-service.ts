import { randomBytes, randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { ServiceOptions } from '../../src/service.ts';
import { createCustomer } from './customers.ts';
import { startTestService, type TestService, type TestTenant } from './service.ts';

const PATIENT = { timeout: 60_000, interval: 50 };
const TIER = randomUUID();

type CopyOptions = Pick<ServiceOptions, 'openEngine' | 'openPresence' | 'clusters'> & {
  leasesMs?: number;
};

/** Copies of the service on one database, of which one serves requests, with a cluster `c1` in the region `eu-1`. */
export class ClusterService {
  readonly host_id = randomUUID();
  readonly #master_key = randomBytes(32);
  readonly #copies: TestService[] = [];
  /** Serves requests, and holds nothing. */
  front!: TestService;
  tenant!: TestTenant;

  static async start(engine: 'docker' | 'kubernetes'): Promise<ClusterService> {
    const service = new ClusterService();
    await service.#start(engine);
    return service;
  }

  async #start(engine: string): Promise<void> {
    this.front = await startTestService({ master_key: this.#master_key, runsJobs: false });
    const { operations, database } = this.front;
    await operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
    await operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
    const insert = `insert into clusters (id, host_id, region_id, engine) values ('c1', $1, 'eu-1', $2)`;
    await database.query(insert, [this.host_id, engine]);
    this.tenant = await this.front.createTenant();
  }

  async close(): Promise<void> {
    for (const copy of this.#copies) await copy.service.stop();
    await this.front.stop();
  }

  async startCopy({ leasesMs = 100, ...options }: CopyOptions): Promise<TestService> {
    const copy = await startTestService({
      master_key: this.#master_key,
      database: this.front.database,
      pace: { hostMs: 200, awayMs: 300, leasesMs, queue: { pollEveryMs: 100 } },
      ...options,
    });
    this.#copies.push(copy);
    return copy;
  }

  async startHolder(options: CopyOptions): Promise<TestService> {
    const copy = await this.startCopy(options);
    await this.holds(copy);
    return copy;
  }

  async stopCopy(copy: TestService): Promise<void> {
    this.#copies.splice(this.#copies.indexOf(copy), 1);
    await copy.service.stop();
  }

  async deploy(count = 1, recipe: object = {}): Promise<string[]> {
    const { api } = this.tenant;
    const customer_id = await createCustomer(this.tenant);
    const { body } = await api.post<{ id: string }>('/v1/recipes', { name: 'R', ...recipe });
    const place = { recipe_id: body.id, customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'h' };
    const deploys = await Promise.all(
      Array.from({ length: count }, () => api.post<{ instance_id: string }>('/v1/recipes/deploy', place)),
    );
    return deploys.map(({ body: { instance_id } }) => instance_id);
  }

  async running(count = 1): Promise<string[]> {
    const ids = await this.deploy(count);
    for (const id of ids) await this.shows(id, { status: 'running', runtime: { state: 'up' } });
    return ids;
  }

  async stop(id: string): Promise<void> {
    expect((await this.tenant.api.post(`/v1/instances/${id}/stop`)).status).toBe(202);
  }

  shows(id: string, fields: object): Promise<void> {
    return vi.waitFor(async () => {
      expect((await this.tenant.api.get(`/v1/instances/${id}`)).body).toMatchObject(fields);
    }, PATIENT);
  }

  clusterShows(fields: object): Promise<void> {
    return vi.waitFor(async () => {
      const read = `select lease_holder, reachable, last_seen_at > now() - interval '5 seconds' as is_seen
                    from clusters where id = 'c1'`;
      expect((await this.front.database.query(read))[0]).toMatchObject(fields);
    }, PATIENT);
  }

  holds(copy: TestService): Promise<void> {
    return this.clusterShows({ lease_holder: copy.service.services.settings.host_id });
  }

  /** Resolves when a lease was renewed after the call. */
  async renewed(): Promise<void> {
    const read = `select lease_until::text from clusters where id = 'c1'`;
    const before = await this.front.database.query(read);
    await vi.waitFor(async () => expect(await this.front.database.query(read)).not.toEqual(before), PATIENT);
  }

  /** Why the task of the instance failed. */
  async taskError(id: string): Promise<unknown> {
    const read = 'select error from tasks where instance_id = $1';
    return (await this.front.database.query<{ error: unknown }>(read, [id]))[0]?.error;
  }
}

export async function metricOf(copy: TestService, name: string): Promise<number> {
  const { text } = await copy.anonymous.get('/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
