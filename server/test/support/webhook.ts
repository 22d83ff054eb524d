import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { openContent } from '../../src/conversations/message-content.ts';
import type { Answer } from './client.ts';
import { insertInstance, type TestInstance } from './instances.ts';
import type { TestService, TestTenant } from './service.ts';

export const HOOK = '/hooks/chatapp';

export interface TestEndpoint {
  id: string;
  phone_number_id: string;
  verify_token: string;
  app_secret: string;
  instance: TestInstance;
}

/** By default for a new dedicated instance. */
export async function createEndpoint(
  service: TestService,
  tenant: TestTenant,
  given?: TestInstance,
): Promise<TestEndpoint> {
  const instance = given ?? (await insertInstance(service, tenant.tenant_id));
  const settings = {
    phone_number_id: randomUUID(),
    verify_token: `token-${randomUUID()}`,
    app_secret: `secret-${randomUUID()}`,
  };
  const { status, body } = await tenant.api.post<{ id: string }>('/v1/channel-endpoints', {
    channel: 'chatapp',
    instance_id: instance.id,
    ...(instance.hosting_mode === 'shared' && { customer_id: instance.customer_id }),
    ...settings,
  });
  expect(status).toBe(201);
  return { id: body.id, ...settings, instance };
}

export const sign = (bytes: string | Uint8Array, app_secret: string): string =>
  `sha256=${createHmac('sha256', app_secret).update(bytes).digest('hex')}`;

export function deliver(
  service: TestService,
  payload: unknown,
  app_secret: string,
): Promise<Answer<Record<string, never>>> {
  const raw = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return service.anonymous.request('POST', HOOK, {
    raw,
    headers: { 'x-hub-signature-256': sign(raw, app_secret) },
  });
}

export const sendMessages = (
  service: TestService,
  { phone_number_id, app_secret }: Pick<TestEndpoint, 'phone_number_id' | 'app_secret'>,
  ...messages: object[]
) => deliver(service, payloadOf(changeFor(phone_number_id, ...messages)), app_secret);

/** Unix seconds, as the channel writes them. */
export const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

export const textMessage = (id: string, body: string, from = '4915112345678') => ({
  from,
  id,
  timestamp: secondsAgo(0),
  type: 'text',
  text: { body },
});

export const changeFor = (phone_number_id: string, ...messages: object[]) => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001111', phone_number_id },
    contacts: [{ profile: { name: 'Ada' }, wa_id: '4915112345678' }],
    messages,
  },
});

export const payloadOf = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes }],
});

interface StoredMessage {
  tenant_id: string;
  message_id: string;
  external_id: string;
  text: string | null;
  raw: { metadata: object; contacts: object[]; message: Record<string, unknown> };
  stored_by: string;
}

/** In order, with their contents opened. */
export async function storedMessages(
  { database, service }: TestService,
  { id }: TestEndpoint,
): Promise<StoredMessage[]> {
  const rows = await database.query<
    Omit<StoredMessage, 'text' | 'raw'> & { id: string; sealed_content: Buffer | null }
  >(
    `select id, tenant_id, message_id, external_id, sealed_content, xmin::text as stored_by
     from channel_messages where endpoint_id = $1 and direction = 'in' order by number`,
    [id],
  );
  const { db, keyring } = service.services;
  return Promise.all(
    rows.map(async ({ id: message_id, sealed_content, ...row }) => {
      const stored = { id: message_id, sealed_content };
      const { text = null, raw } = await openContent(keyring, db.tenant(row.tenant_id), stored);
      return { ...row, text, raw: raw as StoredMessage['raw'] };
    }),
  );
}

/** Senders with a pending job. */
export async function conversationsOf({ database }: TestService, { id }: TestEndpoint): Promise<string[]> {
  const rows = await database.query<{ external_id: string }>(
    `select c.external_id from jobs j join conversations c on j.key = c.id::text
     where j.kind = 'converse' and j.tenant_id = c.tenant_id and j.lane = c.instance_id::text and c.endpoint_id = $1
     order by 1`,
    [id],
  );
  return rows.map(({ external_id }) => external_id);
}

/** The increase of an outcome's count during `run`. */
export async function messagesCountedBy(
  { anonymous }: TestService,
  outcome: string,
  run: () => Promise<unknown>,
): Promise<number> {
  const count = async () => {
    const { text } = await anonymous.get('/metrics');
    const line = new RegExp(`^acp_channel_messages_total\\{outcome="${outcome}"\\} (\\d+)`, 'm');
    return Number(line.exec(text)?.[1] ?? 0);
  };
  const before = await count();
  await run();
  return (await count()) - before;
}
