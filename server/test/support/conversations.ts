import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { insertInstance, type TestInstance } from './instances.ts';
import type { FakeSendApi } from './send-api.ts';
import type { TestService, TestTenant } from './service.ts';
import { createEndpoint, sendMessages, type TestEndpoint, textMessage } from './webhook.ts';

export interface Conversation {
  id: string;
  instance_id: string;
  customer_id: string;
  external_id: string;
  mode: string;
  unanswered: number;
  last_message: { author: string; text: string | null } | null;
}

interface Message {
  id: string;
  author: string;
  direction: string;
  text: string | null;
  status: string;
  error: string | null;
  kind: string;
  at: string;
}

export const WAIT = { timeout: 60_000, interval: 20 };

export async function createAgent(
  service: TestService,
  tenant: TestTenant,
  config: object = {},
  { retention_days = 30 } = {},
): Promise<TestEndpoint> {
  const instance = await insertInstance(service, tenant.tenant_id);
  await configure(service, instance, config, retention_days);
  await addToken(tenant, instance.customer_id, 'token-1');
  return createEndpoint(service, tenant, instance);
}

export const configure = (
  { database }: TestService,
  { id }: TestInstance,
  config: object,
  retention_days: number,
) =>
  database.query('update deployments set resolved_config = $2, retention_days = $3 where instance_id = $1', [
    id,
    JSON.stringify(config),
    retention_days,
  ]);

export async function addToken(
  tenant: TestTenant,
  customer_id: string,
  access_token: string,
): Promise<string> {
  const { status, body } = await tenant.api.post<{ id: string }>(`/v1/customers/${customer_id}/connections`, {
    provider: 'chatapp',
    credentials: { access_token },
  });
  expect(status).toBe(201);
  return body.id;
}

export const conversationWith = (tenant: TestTenant, { instance }: TestEndpoint, external_id?: string) =>
  vi.waitFor(async () => {
    const { body } = await tenant.api.get<{ items: Conversation[] }>(
      `/v1/conversations?instance_id=${instance.id}&per_page=100`,
    );
    const found = body.items.find((item) => external_id === undefined || item.external_id === external_id);
    return found ?? expect.unreachable('no such conversation');
  }, WAIT);

export const threadOf = async (tenant: TestTenant, id: string): Promise<Message[]> =>
  (await tenant.api.get<{ items: Message[] }>(`/v1/conversations/${id}/messages?per_page=100`)).body.items;

/** The messages, without the notes of takeovers. */
export const messagesIn = async (tenant: TestTenant, id: string): Promise<Message[]> =>
  (await threadOf(tenant, id)).filter(({ kind }) => kind !== 'takeover');

export const messagesBecome = (tenant: TestTenant, id: string, expected: Partial<Message>[]) =>
  vi.waitFor(async () => {
    const messages = await messagesIn(tenant, id);
    expect(messages).toMatchObject(expected);
    return messages;
  }, WAIT);

/** As the instance's runtime. */
export const answer = (
  { operations }: TestService,
  { instance }: TestEndpoint,
  conversation_id: string,
  body: object,
) =>
  operations.post<Message & { detail: string }>(
    `/internal/v1/instances/${instance.id}/conversations/${conversation_id}/messages`,
    body,
  );

export function answerEach(
  service: TestService,
  reply: (message: Record<string, unknown>) => string | undefined,
): void {
  service.runtimes.onMessage = async (message) => {
    const text = reply(message);
    if (text === undefined) return;
    const { rows } = {
      rows: await service.database.query<{ instance_id: string }>(
        'select instance_id from conversations where id = $1',
        [message.conversation_id],
      ),
    };
    const answered = await service.operations.post(
      `/internal/v1/instances/${rows[0]?.instance_id}/conversations/${String(message.conversation_id)}/messages`,
      { text, in_reply_to: message.message_id },
    );
    expect(answered.status).toBeLessThan(300);
  };
}

export const uniqueSender = () => `4915${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
export const uniqueId = () => `wamid.${randomUUID()}`;

/** In one delivery. @returns the ids of the messages */
export async function write(
  service: TestService,
  agent: TestEndpoint,
  sender: string,
  ...texts: string[]
): Promise<string[]> {
  const ids = texts.map(uniqueId);
  const messages = texts.map((text, index) => textMessage(ids[index] ?? '', text, sender));
  expect((await sendMessages(service, agent, ...messages)).status).toBe(200);
  return ids;
}

export const forwardedTo = ({ runtimes }: TestService, { instance }: TestEndpoint) =>
  runtimes.messages
    .filter(({ address }) => address === instance.runtime_address)
    .map(({ message }) => message);

export const forwardedCount = (service: TestService, agent: TestEndpoint, count: number) =>
  vi.waitFor(() => {
    const messages = forwardedTo(service, agent);
    expect(messages).toHaveLength(count);
    return messages;
  }, WAIT);

export const sentBecome = ({ sent }: FakeSendApi, sender: string, texts: (string | undefined)[]) =>
  vi.waitFor(() => {
    const to = sent.filter(({ body }) => body.to === sender);
    expect(to.map(({ body }) => body.text?.body)).toEqual(texts);
  }, WAIT);
