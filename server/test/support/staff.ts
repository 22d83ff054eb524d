import { expect } from 'vitest';
import { insertInstance, type TestInstance } from './instances.ts';
import type { TestService, TestTenant } from './service.ts';

export interface Staff {
  id: string;
  name: string;
  [field: string]: unknown;
}

export class Crew {
  readonly #service: TestService;
  readonly tenant: TestTenant;
  readonly instance: TestInstance;
  /** /internal/v1/instances/{instance_id} */
  readonly path: string;
  /** /v1/customers/{customer_id} */
  readonly customer_path: string;

  constructor(service: TestService, tenant: TestTenant, instance: TestInstance) {
    this.#service = service;
    this.tenant = tenant;
    this.instance = instance;
    this.path = `/internal/v1/instances/${instance.id}`;
    this.customer_path = `/v1/customers/${instance.customer_id}`;
  }

  static async gather(service: TestService, tenant: TestTenant, timezone = 'UTC'): Promise<Crew> {
    const instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    await service.database.query('update customers set timezone = $2 where id = $1', [
      instance.customer_id,
      timezone,
    ]);
    return new Crew(service, tenant, instance);
  }

  staffPath(rest = '', customer_id = this.instance.customer_id): string {
    const [path = '', query = ''] = rest.split('?');
    return `${this.path}/staff${path}?customer_id=${customer_id}${query && `&${query}`}`;
  }

  async add(staff: object): Promise<Staff> {
    const { status, body } = await this.#service.operations.post<Staff>(this.staffPath(), staff);
    expect(status).toBe(201);
    return body;
  }

  async change(person: Staff, changes: object): Promise<Staff> {
    const path = `${this.path}/staff/${person.id}`;
    const { status, body } = await this.#service.operations.patch<Staff>(path, changes);
    expect(status).toBe(200);
    return body;
  }

  async names(query: string): Promise<string[]> {
    const { status, body } = await this.#service.operations.get<{ total: number; staff: Staff[] }>(
      this.staffPath(`?${query}`),
    );
    expect(status).toBe(200);
    expect(body.total).toBe(body.staff.length);
    return body.staff.map(({ name }) => name);
  }

  async bind(person: Staff, binding: object): Promise<void> {
    const path = `${this.customer_path}/staff/${person.id}/bindings`;
    expect((await this.tenant.api.post(path, binding)).status).toBe(201);
  }
}
