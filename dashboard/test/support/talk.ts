import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { secondsAgo, sendMessages, textMessage } from '../../../server/test/support/webhook.ts';
import type { Furnished } from './furnished.ts';

/** Somebody who writes to the furnished tenant's agent from a number of their own. */
export class Talk {
  readonly sender = `4916${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
  readonly #tenant: Furnished;
  conversation_id = '';

  private constructor(tenant: Furnished) {
    this.#tenant = tenant;
  }

  static begin(tenant: Furnished, ...texts: string[]): Promise<Talk> {
    return Talk.beginBefore(0, tenant, ...texts);
  }

  static async beginBefore(seconds: number, tenant: Furnished, ...texts: string[]): Promise<Talk> {
    const talk = new Talk(tenant);
    const messages = texts.map((text) => textMessage(`wamid.${randomUUID()}`, text, talk.sender));
    await talk.send(...messages.map((message) => ({ ...message, timestamp: secondsAgo(seconds) })));
    const found = async () => {
      const { items } = await tenant.acp.conversations.list({ search: talk.sender });
      talk.conversation_id = items[0]?.id ?? '';
      return talk.conversation_id;
    };
    await expect.poll(found).not.toBe('');
    return talk;
  }

  say(...texts: string[]) {
    return this.send(...texts.map((text) => textMessage(`wamid.${randomUUID()}`, text, this.sender)));
  }

  send(...messages: object[]) {
    return sendMessages(this.#tenant.house, this.#tenant.phone, ...messages);
  }

  async answer(body: {
    text: string;
    options?: object;
    usage?: object;
    tool_calls?: object[];
    error?: string;
  }): Promise<void> {
    const path = `/internal/v1/instances/${this.#tenant.instance_id}/conversations/${this.conversation_id}/messages`;
    const { status, text } = await this.#tenant.house.operations.post(path, {
      in_reply_to: null,
      idempotency_key: randomUUID(),
      ...body,
    });
    expect(status, text).toBe(202);
  }

  async handOver(reason: string): Promise<void> {
    const path = `/internal/v1/instances/${this.#tenant.instance_id}/conversations/${this.conversation_id}/handover`;
    const { status, text } = await this.#tenant.house.operations.post(path, { reason });
    expect(status, text).toBe(200);
  }

  get texts(): Promise<(string | null)[]> {
    return this.#tenant.acp.conversations
      .listMessages(this.conversation_id, {})
      .then(({ items }) => items.map(({ text }) => text));
  }

  /** As the gateway of models notes one. */
  async noteModelCall(latency_ms: number): Promise<void> {
    await this.#tenant.house.database.query(
      `insert into llm_calls (id, tenant_id, instance_id, customer_id, conversation_id, recipe_id, at, asked_model, model,
         provider, is_operators, status, input_tokens, cached_input_tokens, output_tokens, estimated, cost, latency_ms,
         reserved_cost, reserved_tokens)
       select gen_random_uuid(), tenant_id, instance_id, customer_id, id, null, now(), 'small-1',
         'small-1', 'default', true, 'ok', 1204, 900, 88, false, 0.0021, $2, 0, 0 from conversations where id = $1`,
      [this.conversation_id, latency_ms],
    );
  }
}
