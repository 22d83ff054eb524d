import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Credentials } from './server-process.ts';

type Json = Record<string, unknown>;

export async function call<T = Json>(
  { base_url, api_key }: Credentials,
  method: string,
  path: string,
  json?: unknown,
): Promise<T> {
  const response = await fetch(base_url + path, {
    method,
    headers: { 'x-api-key': api_key, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

export async function deploy(
  credentials: Credentials,
  recipe: Json = {},
): Promise<{ instance_id: string; task_id: string }> {
  const { id: customer_id } = await call<{ id: string }>(credentials, 'POST', '/v1/customers', {
    email: `${randomUUID()}@example.com`,
  });
  const { id: recipe_id } = await call<{ id: string }>(credentials, 'POST', '/v1/recipes', {
    name: 'R',
    ...recipe,
  });
  const tiers = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/tiers');
  const regions = await call<{ items: { id: string }[] }>(credentials, 'GET', '/v1/regions');
  return call(credentials, 'POST', '/v1/recipes/deploy', {
    customer_id,
    recipe_id,
    tier_id: tiers.items[0]?.id,
    region_id: regions.items[0]?.id,
    hostname: 'agent.example.com',
  });
}

export const until = (credentials: Credentials, instance_id: string, status: string) =>
  vi.waitFor(
    async () => {
      const instance = await call(credentials, 'GET', `/v1/instances/${instance_id}`);
      expect(instance.status).toBe(status);
    },
    { timeout: 180_000, interval: 100 },
  );
