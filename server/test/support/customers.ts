import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestTenant } from './service.ts';

/** A customer of the tenant, at an address of its own unless the profile gives one. @returns its id */
export async function createCustomer(
  { api }: Pick<TestTenant, 'api'>,
  profile: { email?: string; company_name?: string } = {},
): Promise<string> {
  const request = { email: `${randomUUID()}@example.com`, ...profile };
  const { status, text, body } = await api.post<{ id: string }>('/v1/customers', request);
  expect(status, text).toBe(201);
  return body.id;
}
