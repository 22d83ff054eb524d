import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { storeEngineOutput } from '../../src/logs/instance-logs.ts';
import {
  answer,
  conversationWith,
  createAgent,
  forwardedTo,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { purgeAll } from '../support/jobs.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import type { TestEndpoint } from '../support/webhook.ts';

const MIB = 1024 * 1024;
const LARGE = 'x'.repeat(60_000);

let service: TestService;
beforeAll(async () => {
  service = await sharedService('working');
});

interface Talk {
  tenant: TestTenant;
  agent: TestEndpoint;
  sender: string;
  id: string;
}

async function talk(): Promise<Talk> {
  const tenant = await service.createTenant();
  const agent = await createAgent(service, tenant);
  const sender = uniqueSender();
  await write(service, agent, sender, 'hello');
  const { id } = await conversationWith(tenant, agent, sender);
  return { tenant, agent, sender, id };
}

const limit = ({ tenant: { tenant_id } }: Talk, stored_mib: number | null) =>
  service.operations.patch(`/internal/v1/tenants/${tenant_id}`, { limits: { stored_mib } });
const count = () => purgeAll(service, ['stored_changes']);
const say = ({ agent, id }: Talk, text = 'x') =>
  answer(service, agent, id, { text, idempotency_key: randomUUID() });
const sendLines = ({ agent }: Talk, lines = ['x']) =>
  service.operations.post(`/internal/v1/instances/${agent.instance.id}/logs`, { lines });
const dead = async ({ tenant }: Talk) =>
  (await tenant.api.get<{ items: { id: string; last_error: string }[] }>('/v1/channel-messages?status=dead'))
    .body.items;

/** Counted and actual bytes. */
const bytesOf = async ({ tenant: { tenant_id } }: Talk) => {
  const [row] = await service.database.query<{ counted: number; actual: number }>(
    `select (select bytes::int from stored_bytes where tenant_id = $1) as counted, (
       select sum(coalesce(octet_length(sealed_content), 0))::int from channel_messages where tenant_id = $1) + (
       select coalesce(sum(octet_length(line)), 0)::int from instance_logs where tenant_id = $1) as actual`,
    [tenant_id],
  );
  return row ?? expect.unreachable();
};

const FULL = 'The tenant has reached its limit of 1 MiB of messages and logs';

describe('a tenant that stores as many bytes as it may', () => {
  it('stores no further answers and lines, until something is deleted', async () => {
    const talking = await talk();
    await limit(talking, 1);
    const full = async () => (await bytesOf(talking)).counted >= MIB;
    while (!(await full())) {
      expect((await say(talking, LARGE)).status).toBe(202);
      await count();
    }
    for (const refused of [await say(talking), await sendLines(talking)]) {
      expect(refused).toMatchObject({ status: 429, body: { detail: FULL } });
      expect(refused.headers.get('retry-after')).toBe('60');
    }
    await storeEngineOutput(service.service.services, talking.agent.instance.id, ['left out']);

    const { tenant, agent, id } = talking;
    const path = `/v1/conversations/${id}`;
    const refusal = { status: 403, body: { detail: FULL } };
    expect(
      await tenant.api.post(`/v1/instances/${agent.instance.id}/playground`, { text: 'x' }),
    ).toMatchObject(refusal);
    expect(await tenant.api.post(`${path}/messages`, { text: 'x' })).toMatchObject({ status: 409 });
    const handed = await service.operations.post(
      `/internal/v1/instances/${agent.instance.id}/conversations/${id}/handover`,
      { reason: 'help' },
    );
    expect(handed.status).toBe(200);
    expect(await tenant.api.post(`${path}/messages`, { text: 'x' })).toMatchObject(refusal);

    expect((await tenant.api.delete(path)).status).toBe(204);
    await count();
    expect(await bytesOf(talking)).toMatchObject({ counted: 0 });
    expect((await sendLines(talking)).status).toBe(201);
  });

  it('gets incoming messages as dead, which can be retried once there is room', async () => {
    const talking = await talk();
    await limit(talking, 0);
    await write(service, talking.agent, talking.sender, 'short', LARGE);
    const reason = FULL.replace('1', '0');
    const messages = await dead(talking);
    expect(messages.map(({ last_error }) => last_error)).toEqual([reason, reason]);
    await count();
    // Contents that are much larger than their rows are not kept, so that the bytes have an end.
    expect((await bytesOf(talking)).counted).toBeLessThan(10_000);
    await limit(talking, null);
    for (const { id } of messages) await talking.tenant.api.post(`/v1/channel-messages/${id}/retry`);
    await vi.waitFor(
      () => expect(forwardedTo(service, talking.agent).map(({ text }) => text)).toContain('short'),
      WAIT,
    );
  });
});

it('bytes are counted through answers, erasures, lines and deletions', async () => {
  const talking = await talk();
  const { tenant, agent, sender } = talking;
  await write(service, agent, sender, LARGE, 'b');
  await say(talking, LARGE);
  await sendLines(talking, ['one', LARGE]);
  const same = async () => {
    await count();
    const { counted, actual } = await bytesOf(talking);
    expect(counted).toBe(actual);
    return counted;
  };
  await vi.waitFor(same, WAIT);
  // Work under way may still store something.
  await vi.waitFor(async () => {
    await service.database.query('update channel_messages set sealed_content = null where tenant_id = $1', [
      tenant.tenant_id,
    ]);
    await service.database.query('delete from instance_logs where tenant_id = $1', [tenant.tenant_id]);
    expect(await same()).toBe(0);
  }, WAIT);
});
