import { expect, it } from 'vitest';
import {
  createModel,
  HELLO,
  instance,
  pathOf,
  policy,
  service,
  tenant,
  useModels,
} from '../support/models.ts';

useModels();

interface Listed {
  total: number;
  items: { at: string; model: string; status: string; cost: string | null; latency_ms: number }[];
}

async function insertConversation(): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(
    `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at)
     select tenant_id, id, customer_id, 'chatapp', '1', now() from instances where id = $1 returning id`,
    [instance.id],
  );
  return row?.id ?? expect.unreachable();
}

it('lists a conversation’s calls of models, with tokens, cost and time, within a span', async () => {
  const conversation_id = await insertConversation();
  const model = await createModel();
  await policy({ model });
  const asked = service.operations.with({ 'x-conversation-id': conversation_id });
  for (const content of ['one', 'two']) await asked.post(pathOf(instance), { ...HELLO, user: content });
  await service.operations.post(pathOf(instance), HELLO);

  const path = `/v1/conversations/${conversation_id}/model-calls`;
  const { status, body } = await tenant.api.get<Listed>(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    total: 2,
    items: [
      {},
      { model, asked_model: model, status: 'ok', input_tokens: 10, output_tokens: 5, estimated: false },
    ],
  });
  const [second, first] = body.items;
  expect(first?.cost).toBe('0.00006');
  expect(first?.latency_ms).toBeGreaterThanOrEqual(0);
  const before = await tenant.api.get<Listed>(`${path}?to=${second?.at}`);
  const after = await tenant.api.get<Listed>(`${path}?from=${second?.at}`);
  expect([before.body.items, after.body.items]).toEqual([[first], [second]]);
});
