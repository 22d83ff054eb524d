import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestTenant } from './service.ts';

export async function createCustomer(
  { api }: Pick<TestTenant, 'api'>,
  profile: { email?: string; company_name?: string } = {},
): Promise<string> {
  const request = { email: `${randomUUID()}@example.com`, ...profile };
  const { status, text, body } = await api.post<{ id: string }>('/v1/customers', request);
  expect(status, text).toBe(201);
  return body.id;
}

export async function createIdentity(
  { api }: Pick<TestTenant, 'api'>,
  customer_id: string,
  identity: { external_id?: string; role_override?: string | null } = {},
): Promise<string> {
  const request = { channel: 'chatapp', external_id: randomUUID(), ...identity };
  const path = `/v1/customers/${customer_id}/identities`;
  const { status, text, body } = await api.post<{ id: string }>(path, request);
  expect(status, text).toBe(201);
  return body.id;
}
