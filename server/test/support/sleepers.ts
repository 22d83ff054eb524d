import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { sleepIdle } from '../../src/dialogue/sleep.ts';
import { createCustomer } from './customers.ts';
import type { TestService, TestTenant } from './service.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const TIER = randomUUID();

export interface Sleeper {
  id: string;
  status: string;
  runtime: { state: string; reason: string | null; generation: number };
}

export async function offerPlaces({ operations }: TestService): Promise<void> {
  await operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
}

export const shows = ({ api }: TestTenant, id: string, fields: object) =>
  vi.waitFor(async () => {
    const { body } = await api.get<Sleeper>(`/v1/instances/${id}`);
    expect(body).toMatchObject(fields);
    return body;
  }, WAIT);

/** @returns the id of a running instance */
export async function deployed(tenant: TestTenant, fields: object = { idle_minutes: 5 }): Promise<string> {
  const { api } = tenant;
  const { body: recipe } = await api.post<{ id: string }>('/v1/recipes', { name: 'R', ...fields });
  const { status, body, text } = await api.post<{ instance_id: string }>('/v1/recipes/deploy', {
    recipe_id: recipe.id,
    customer_id: await createCustomer(tenant),
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'h',
  });
  expect(status, text).toBe(202);
  await shows(tenant, body.instance_id, { status: 'running', runtime: { state: 'up' } });
  return body.instance_id;
}

/** As if nothing had happened for six minutes. */
export async function setBack({ database }: TestService, id: string): Promise<void> {
  const past = `now() - interval '6 minutes'`;
  await database.query(`update runtimes set up_at = ${past} where instance_id = $1`, [id]);
  await database.query(`update conversations set last_message_at = ${past} where instance_id = $1`, [id]);
  await database.query(
    `update tasks set finished_at = ${past} where instance_id = $1 and finished_at is not null`,
    [id],
  );
}

export const look = ({ service }: TestService) => sleepIdle(service.services.db.system);

export async function sleeping(service: TestService, tenant: TestTenant, fields?: object): Promise<string> {
  const id = await deployed(tenant, fields);
  await setBack(service, id);
  await look(service);
  await shows(tenant, id, { status: 'running', runtime: { state: 'asleep' } });
  return id;
}

export async function say(
  { api }: TestTenant,
  id: string,
  text = 'Hello',
): Promise<{ conversation_id: string; message_id: string }> {
  const answer = await api.post<{ conversation_id: string; message_id: string }>(
    `/v1/instances/${id}/playground`,
    { text },
  );
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

/** The texts that the instance's runtime got. */
export const heard = ({ runtimes }: TestService, id: string) =>
  runtimes.messages.filter(({ address }) => address.includes(id)).map(({ message }) => message.text);

export const hears = (service: TestService, id: string, ...texts: string[]) =>
  vi.waitFor(() => {
    expect(heard(service, id)).toHaveLength(texts.length);
    expect(new Set(heard(service, id))).toEqual(new Set(texts));
  }, WAIT);

export const startsOf = ({ engine }: TestService, id: string) =>
  engine.started.filter((one) => one === id).length;
