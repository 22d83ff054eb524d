import { beforeAll, expect, it, vi } from 'vitest';
import { SENTENCES, sentencesIn } from '../../src/dialogue/sentences.ts';
import {
  conversationWith,
  createAgent,
  forwardedCount,
  messagesIn,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { sharedService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService('working');
});

const shape = (sentences: Readonly<Record<string, string>>) =>
  Object.entries(sentences).map(([key, text]) => [key, ...(text.match(/\{\w+\}/g) ?? []).toSorted()]);

it('every language has every sentence, with the same placeholders', () => {
  const { en = expect.unreachable(), ...others } = SENTENCES;
  expect(Object.keys(others).toSorted()).toEqual(['de', 'es', 'fr', 'it', 'nl', 'pt']);
  for (const sentences of Object.values(others)) expect(shape(sentences)).toEqual(shape(en));
  expect(['de-AT', 'EN', 'ja', null].map(sentencesIn)).toEqual([SENTENCES.de, en, en, en]);
});

it('follow the locale of the customer, which the runtime is told', async () => {
  const tenant = await service.createTenant();
  const agent = await createAgent(service, tenant);
  const { customer_id } = agent.instance;
  expect((await tenant.api.patch(`/v1/customers/${customer_id}`, { locale: 'de-AT' })).status).toBe(200);
  const sender = uniqueSender();
  await write(service, agent, sender, 'hallo');
  expect(await forwardedCount(service, agent, 1)).toMatchObject([{ locale: 'de-AT' }]);
  const limits = { sender_messages: 1 };
  await service.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { limits });
  await write(service, agent, sender, 'noch einmal');
  const { id } = await conversationWith(tenant, agent, sender);
  await vi.waitFor(
    async () =>
      expect((await messagesIn(tenant, id)).map(({ text }) => text)).toContain(SENTENCES.de?.too_many),
    WAIT,
  );
});
