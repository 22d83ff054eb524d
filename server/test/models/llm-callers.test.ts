import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { replaceLlmKey } from '../../src/runtimes/llm-keys.db.ts';
import { ownPlace } from '../../src/runtimes/runtime-host.ts';
import { runtimeToRun } from '../../src/runtimes/runtimes.ts';
import { mintLlmKey } from '../../src/secrets/secret-formats.ts';
import type { Client } from '../support/client.ts';
import { WAIT } from '../support/conversations.ts';
import { insertInstance, placeCustomer } from '../support/instances.ts';
import {
  type Answer,
  ask,
  HELLO,
  instance,
  model,
  pathOf,
  service,
  tenant,
  useModels,
} from '../support/models.ts';

useModels({ runsJobs: true });

const statusFor = async (runtime: Client, path = pathOf(instance)) =>
  (await runtime.post(path, HELLO)).status;

const sendWith = (headers: Record<string, string>) =>
  service.operations.with(headers).post<Answer>(pathOf(instance), HELLO);

describe('the key of a start', () => {
  it('gives access to the models of its instance only, until the next start or the end of the proxy key', async () => {
    const { services } = service.service;
    const db = services.db.tenant(tenant.tenant_id);
    const mint = async () => {
      const { key, key_hash } = mintLlmKey();
      await db.run(replaceLlmKey(instance.id, key_hash));
      return service.anonymous.with({ authorization: `Bearer ${key}` });
    };
    const first = await mint();
    expect(await statusFor(first)).toBe(200);
    const other = await insertInstance(service, tenant.tenant_id);
    expect(await statusFor(first, pathOf(other))).toBe(401);
    expect(await statusFor(first, `/internal/v1/instances/${instance.id}/pin/check-required`)).toBe(401);
    const second = await mint();
    expect([await statusFor(first), await statusFor(second)]).toEqual([401, 200]);
    expect((await tenant.api.delete(`/v1/instances/${instance.id}/proxy-key`)).status).toBe(204);
    expect(await statusFor(second)).toBe(401);
  });

  it('ends with its runtime', async () => {
    const { services } = service.service;
    const { key, key_hash } = mintLlmKey();
    await services.db.tenant(tenant.tenant_id).run(replaceLlmKey(instance.id, key_hash));
    const runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
    expect(await statusFor(runtime)).toBe(200);
    expect((await tenant.api.post(`/v1/instances/${instance.id}/stop`)).status).toBe(202);
    await vi.waitFor(async () => {
      const { body } = await tenant.api.get<{ status: string }>(`/v1/instances/${instance.id}`);
      expect(body.status).toBe('stopped');
    }, WAIT);
    expect(await statusFor(runtime)).toBe(401);
  });

  it('is given to the runtime in place of the operator’s key', async () => {
    await service.database.query('update instances set resolved_config = $2 where id = $1', [
      instance.id,
      JSON.stringify({ model_policy: { model: 'policys' } }),
    ]);
    const { services } = service.service;
    const { id, runtime_address: _, ...rest } = instance;
    const place = ownPlace(services);
    await service.database.query(
      'update runtimes set host_id = $2, generation = 1, wanted = true where instance_id = $1',
      [id, place.host_id],
    );
    const hosted = { ...rest, id, tenant_id: tenant.tenant_id, generation: 1, is_mine: true, wanted: true };
    const wanted = await runtimeToRun(services, place, {
      ...hosted,
      cpu_millis: 500,
      memory_mib: 256,
    } as never);
    expect(wanted?.spec.environment).toMatchObject({
      LLM_BASE_URL: `${service.base_url}/internal/v1/instances/${id}/llm`,
      LLM_MODEL: 'policys',
    });
    expect(JSON.stringify(wanted?.spec)).not.toContain('operators-key');
  });
});

describe('metrics', () => {
  it('show how calls end, and whether the provider answers', async () => {
    await ask();
    model.respond = (response) => response.writeHead(500).end('{}');
    await ask();
    const { text } = await service.anonymous.get('/metrics');
    expect(text).toMatch(/^acp_llm_requests_total\{outcome="ok"\} [1-9]/m);
    expect(text).toMatch(/^acp_llm_requests_total\{outcome="failed"\} [1-9]/m);
    expect(text).toMatch(/^acp_llm_up 0$/m);
    expect(text).toMatch(/^acp_llm_seconds_count [1-9]/m);
  });
});

describe('the customer of a call', () => {
  it('is given on a shared instance by customer_id or a sender token', async () => {
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const second = await placeCustomer(service, shared.id);
    expect((await ask({}, pathOf(shared))).status).toBe(422);
    expect((await ask({}, `${pathOf(shared)}?customer_id=${second}`)).status).toBe(200);
    expect((await ask({}, `${pathOf(shared)}?customer_id=${randomUUID()}`)).status).toBe(404);
    const rows = await service.database.query('select customer_id from llm_calls where instance_id = $1', [
      shared.id,
    ]);
    expect(rows).toEqual([{ customer_id: second }]);
  });

  it('is the sender token’s, and a conversation has to be the sender’s', async () => {
    const [own, other] = await service.database.query<{ id: string }>(
      `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at)
       select tenant_id, id, customer_id, 'chatapp', n::text, now() from instances, generate_series(1, 2) n
       where id = $1 returning id`,
      [instance.id],
    );
    const { tenant_id } = tenant;
    const sender = {
      tenant_id,
      instance_id: instance.id,
      customer_id: instance.customer_id,
      conversation_id: own?.id ?? '',
      identity_id: null,
      channel: 'chatapp',
      addresses: ['1'],
    };
    const token = service.service.services.senderTokens.mint(sender, new Date());
    expect((await sendWith({ 'x-sender-token': token })).status).toBe(200);
    expect((await sendWith({ 'x-sender-token': 'ast_wrong' })).status).toBe(401);
    expect((await sendWith({ 'x-sender-token': token, 'x-conversation-id': other?.id ?? '' })).status).toBe(
      404,
    );
    expect((await sendWith({ 'x-conversation-id': other?.id ?? '' })).status).toBe(200);
    expect((await sendWith({ 'x-conversation-id': randomUUID() })).status).toBe(404);
    const rows = await service.database.query(
      'select conversation_id from llm_calls where instance_id = $1 order by at',
      [instance.id],
    );
    expect(rows).toEqual([{ conversation_id: own?.id }, { conversation_id: other?.id }]);
  });
});
