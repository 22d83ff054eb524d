import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { PermanentFailure } from '../../src/provisioning/failures.ts';
import { stepsOf } from '../../src/provisioning/steps.ts';
import { createCustomer } from './customers.ts';
import { gate } from './hold.ts';
import { runJobs } from './jobs.ts';
import type { TestService, TestTenant } from './service.ts';

export interface RolloutItem {
  instance_id: string;
  hostname: string;
  from_revision: number;
  batch: number;
  status: string;
  error: string | null;
}

export interface Rollout {
  id: string;
  status: string;
  revision: number;
  batch: number;
  next_batch_at: string | null;
  stopped_because: string | null;
  created_by: { kind: string; name: string | null } | null;
  ended_at: string | null;
  counts: Record<string, number>;
  items: RolloutItem[];
  total: number;
}

const WAIT = { timeout: 60_000, interval: 50 };

/** A recipe with running instances of its first revision, which has a second one by now. */
export class Fleet {
  readonly #service: TestService;
  readonly tenant: TestTenant;
  readonly recipe_id: string;
  readonly customer_id: string;
  /** In the order of a rollout. */
  readonly instances: readonly string[];

  private constructor(
    service: TestService,
    tenant: TestTenant,
    ids: { recipe_id: string; customer_id: string; instances: readonly string[] },
  ) {
    this.#service = service;
    this.tenant = tenant;
    this.recipe_id = ids.recipe_id;
    this.customer_id = ids.customer_id;
    this.instances = ids.instances;
  }

  static async of(service: TestService, count: number, tenant?: TestTenant): Promise<Fleet> {
    const owner = tenant ?? (await service.createTenant());
    const { api } = owner;
    const tier_id = randomUUID();
    await service.operations.put(`/internal/v1/tiers/${tier_id}`, { name: 'T' });
    await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
    const recipe = await api.post<{ id: string }>('/v1/recipes', { name: 'Crew', system_prompt: 'first' });
    const recipe_id = recipe.body.id;
    const customer_id = await createCustomer(owner);
    const place = { recipe_id, customer_id, tier_id, region_id: 'eu-1' };
    const instances: string[] = [];
    for (let number = 1; number <= count; number++) {
      const { body } = await api.post<{ instance_id: string }>('/v1/recipes/deploy', {
        ...place,
        hostname: `agent-${number}`,
      });
      instances.push(body.instance_id);
    }
    const fleet = new Fleet(service, owner, { recipe_id, customer_id, instances });
    await fleet.areAll('running');
    await fleet.change({ system_prompt: 'second' });
    return fleet;
  }

  get path(): string {
    return `/v1/recipes/${this.recipe_id}/rollouts`;
  }

  change(fields: object) {
    return this.tenant.api.put<{ revision: number }>(`/v1/recipes/${this.recipe_id}`, fields);
  }

  start(fields: object = {}) {
    const request = { revision: 2, pause_seconds: 0, ...fields };
    return this.tenant.api.post<Rollout>(`${this.path}?per_page=100`, request);
  }

  async started(fields: object = {}): Promise<string> {
    const { status, body, text } = await this.start(fields);
    expect(status, text).toBe(202);
    return body.id;
  }

  ask(id: string, verb: 'pause' | 'resume' | 'stop' | 'rollback') {
    return this.tenant.api.post<Rollout>(`${this.path}/${id}/${verb}`);
  }

  async read(id: string): Promise<Rollout> {
    return (await this.tenant.api.get<Rollout>(`${this.path}/${id}?per_page=100`)).body;
  }

  /** Looks at once, and again until it is so. */
  async becomes(id: string, expected: object): Promise<Rollout> {
    return vi.waitFor(async () => {
      await runJobs(this.#service, 'roll_out', { key: id });
      const rollout = await this.read(id);
      expect(rollout).toMatchObject(expected);
      return rollout;
    }, WAIT);
  }

  statuses({ items }: Rollout): string[] {
    return items.map(({ status }) => status);
  }

  async revisions(): Promise<number[]> {
    const rows = await Promise.all(
      this.instances.map((id) => this.tenant.api.get<{ recipe_revision: number }>(`/v1/instances/${id}`)),
    );
    return rows.map(({ body }) => body.recipe_revision);
  }

  /** Upgrades of each instance, failed ones too. */
  async upgrades(): Promise<number[]> {
    const counts = await Promise.all(
      this.instances.map((id) =>
        this.#service.database.query<{ count: number }>(
          `select count(*)::int as count from tasks where instance_id = $1 and kind = 'upgrade'`,
          [id],
        ),
      ),
    );
    return counts.map(([row]) => row?.count ?? 0);
  }

  async upgrade(instance_id: string, body: object): Promise<void> {
    const {
      status,
      text,
      body: answer,
    } = await this.tenant.api.post<{ task_id: string }>(`/v1/instances/${instance_id}/upgrade`, body);
    expect(status, text).toBe(202);
    await vi.waitFor(async () => {
      const task = await this.tenant.api.get(`/v1/tasks/${answer.task_id}`);
      expect(task.body).toMatchObject({ status: 'succeeded' });
    }, WAIT);
  }

  async areAll(status: string): Promise<void> {
    await vi.waitFor(async () => {
      const { body } = await this.tenant.api.get<{ items: { status: string }[] }>(
        `/v1/instances?recipe_id=${this.recipe_id}&per_page=100`,
      );
      expect(body.items.map((one) => one.status)).toEqual(this.instances.map(() => status));
    }, WAIT);
  }
}

/** Upgrades of these instances fail from now on, and are undone. @returns ends it */
export function failUpgradesOf(...instances: readonly (string | undefined)[]): () => unknown {
  const step = stepsOf.upgrade.find(({ name }) => name === 'apply_configuration') ?? expect.unreachable();
  const original = step.run.bind(step);
  const spy = vi.spyOn(step, 'run').mockImplementation(async (task, services) => {
    if (instances.includes(task.instance_id)) throw new PermanentFailure('It is of no use');
    await original(task, services);
  });
  return () => spy.mockRestore();
}

/** Upgrades that begin from now on wait for `goOn`. */
export function holdUpgrades(): { begun: string[]; goOn: () => void } {
  const step = stepsOf.upgrade.find(({ name }) => name === 'apply_configuration') ?? expect.unreachable();
  const original = step.run.bind(step);
  const begun: string[] = [];
  const { pass, goOn } = gate();
  const spy = vi.spyOn(step, 'run').mockImplementation(async (task, services) => {
    begun.push(task.instance_id);
    await pass();
    await original(task, services);
  });
  return {
    begun,
    goOn: () => {
      spy.mockRestore();
      goOn();
    },
  };
}
