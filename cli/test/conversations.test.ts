import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addToken,
  answer,
  conversationWith,
  createAgent,
  messagesBecome,
  uniqueId,
  uniqueSender,
} from '../../server/test/support/conversations.ts';
import { setInstanceStatus } from '../../server/test/support/instances.ts';
import { sendMessages, type TestEndpoint, textMessage } from '../../server/test/support/webhook.ts';
import { linesOf, Transcript, type Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let work: Workplace;
let agent: TestEndpoint;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
  agent = await createAgent(bench.service, bench.tenant);
});
afterAll(() => bench.stop());

async function startConversation(...texts: string[]): Promise<{ id: string; sender: string }> {
  const sender = uniqueSender();
  await write(sender, ...texts);
  const { id } = await conversationWith(bench.tenant, agent, sender);
  await messagesBecome(
    bench.tenant,
    id,
    texts.map((text) => ({ text, status: 'handled' })),
  );
  return { id, sender };
}

async function write(sender: string, ...texts: string[]): Promise<void> {
  const messages = texts.map((text) => textMessage(uniqueId(), text, sender));
  expect((await sendMessages(bench.service, agent, ...messages)).status).toBe(200);
}

describe('conversations', () => {
  it('are listed and filtered', async () => {
    const { id } = await startConversation('Is anybody there?');
    const { stdout } = await work.run('conversations', 'list', '--instance', agent.instance.id);
    expect(stdout).toMatch(/^ID +WITH +CHANNEL +MODE +BY +UNANSWERED +AT +LAST MESSAGE\n/);
    expect(stdout).toMatch(
      new RegExp(`^${id}  Ada +chatapp +agent +-? +1 +20\\S+ \\S+Z  sender: Is anybody there\\?$`, 'm'),
    );
    const idsOf = async (...flags: string[]) =>
      linesOf((await work.run('conversations', 'list', '--all', '--json', ...flags)).stdout).map(
        (line) => (JSON.parse(line) as { id: string }).id,
      );
    expect(await idsOf('--unanswered', '--mode', 'agent', '--channel', 'chatapp')).toContain(id);
    expect(await idsOf('--mode', 'human')).toEqual([]);
    expect(await idsOf('--search', 'ada', '--from', '2026-01-01', '--sort', 'waiting_since')).toContain(id);
    expect(await idsOf('--to', '2026-01-01')).toEqual([]);
    expect(await idsOf('--failed')).toEqual([]);
    expect(await idsOf('--channel', 'playground')).toEqual([]);
    expect(await idsOf('--customer', agent.instance.customer_id)).toContain(id);
    expect((await work.run('conversations', 'list', '--mode', 'robot')).code).toBe(2);
  });

  it('are shown page by page', async () => {
    const { id, sender } = await startConversation('one', 'two\nlines', 'three');
    const shown = await work.run('conversations', 'show', id);
    expect(shown.stderr).toMatch(
      /^Ada \(\d+\) in chatapp; the agent answers; 3 unanswered since 20\S+ \S+Z; free text until 20\S+ \S+Z\n$/,
    );
    expect(shown.stdout).toMatch(
      /^(20\S+ \S+Z) {2}sender {2}one\n\S+ \S+ {2}sender {2}two\n {30}lines\n\S+ \S+ {2}sender {2}three\n$/,
    );
    const newest = await work.run('conversations', 'show', id, '--per-page', '1');
    expect(newest.stdout).toMatch(/^\S+ \S+ {2}sender {2}three\n$/);
    const [, before = ''] = /use --before (\S+)/.exec(newest.stderr) ?? [];
    const page = await work.json<{ items: { text: string }[] }>(
      'conversations',
      'show',
      id,
      '--before',
      before,
    );
    expect(page.items.map(({ text }) => text)).toEqual(['one', 'two\nlines']);
    expect((await work.run('conversations', 'show', `+${sender}`)).stdout).toBe(shown.stdout);
    expect((await work.run('conversations', 'show', '490000')).code).toBe(4);
    expect((await work.run('conversations', 'show', randomUUID())).code).toBe(4);
  });

  it('are followed, with new messages and changes of earlier ones', async () => {
    const { service } = bench;
    const { id, sender } = await startConversation('one');
    const child = work.start('conversations', 'show', id, '--follow');
    const followed = new Transcript(child);
    await followed.shows(/sender {2}one\n/);
    await answer(service, agent, id, { text: 'An answer', in_reply_to: null });
    // There is no send API here, so the answer stays queued until the test marks it as sent.
    await followed.shows(/agent {3}An answer {2}\(queued\)\n/);
    await service.database.query(
      `update channel_messages set status = 'delivered', change = nextval('message_changes')
       where conversation_id = $1 and direction = 'out'`,
      [id],
    );
    await followed.shows(/ {2}· agent, 20\S+ \S+Z: delivered/);
    // The page already has the first message.
    expect(followed.text).not.toContain('· sender');
    await write(sender, 'two');
    await followed.shows(/sender {2}two/);
    child.kill('SIGINT');
    expect(await followed.ended()).toBe(130);
    expect(followed.text.match(/sender {2}one/g)).toHaveLength(1);
  });

  it('are taken over, answered and given back', async () => {
    const { id, sender } = await startConversation('one');
    const refused = await work.run('conversations', 'answer', id, 'Hello');
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining(`\nhint: "agentctl conversations take-over ${id}" takes it over\n`),
    ]);
    const taken = await work.run('conversations', 'take-over', id, '--minutes', '30');
    expect(taken.stdout).toMatch(new RegExp(`^${id}: the key \\S+ has it until 20\\S+ \\S+Z\n$`));
    expect((await work.run('conversations', 'list', '--mode', 'human')).stdout).toMatch(
      new RegExp(`^${id} .* human until 20`, 'm'),
    );
    expect((await work.run('conversations', 'take-over', id)).stdout).toMatch(/: the key \S+ has it\n$/);
    expect((await work.run('conversations', 'show', id)).stdout).toMatch(
      /system {2}taken over by the key \S+/,
    );
    const once = ['conversations', 'answer', id, 'Hello', '--idempotency-key', 'k'];
    const message = await work.json(...once);
    expect(message).toMatchObject({ author: 'person', text: 'Hello', status: 'queued' });
    expect(await work.json(...once)).toMatchObject({ id: message.id });
    expect((await work.run('conversations', 'show', id)).stdout).toContain('person  Hello  (queued)');
    expect((await work.run('conversations', 'give-back', sender)).stdout).toBe(`${id}: the agent answers\n`);
    expect((await work.run('conversations', 'take-over', id, '--minutes', '0')).code).toBe(2);
    const unclear = ['conversations', 'answer', id, 'Hello', '--template', 'reminder'];
    expect((await work.run(...unclear)).code).toBe(2);
    expect((await work.run('conversations', 'answer', id)).code).toBe(2);
  });

  it('are taken over only from whom one expects', async () => {
    const { id } = await startConversation('one');
    const take = (expected: string) =>
      work.run('conversations', 'take-over', id, '--expect-taken-by', expected, '--json');
    const stranger = await take(randomUUID());
    expect([stranger.code, stranger.stderr]).toEqual([5, expect.stringContaining('Somebody else')]);
    const taken = await take('nobody');
    const { taken_by } = JSON.parse(taken.stdout) as { taken_by: { id: string } };
    expect((await take('nobody')).code).toBe(5);
    expect((await take(taken_by.id)).code).toBe(0);
  });

  it('are erased', async () => {
    const { id } = await startConversation('one');
    expect(await work.run('conversations', 'erase', id)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(new RegExp(`^erased conversation ${id}$`, 'm')),
    });
    expect((await work.run('conversations', 'show', id)).code).toBe(4);
  });
});

describe('messages', () => {
  it('are listed with the reason why they wait, and retried after they were given up', async () => {
    const { database } = bench.service;
    const waiting = await createAgent(bench.service, bench.tenant);
    await setInstanceStatus(bench.service, waiting.instance.id, 'stopped');
    const sender = uniqueSender();
    await sendMessages(bench.service, waiting, textMessage(uniqueId(), 'hello', sender));
    const { id: conversation } = await conversationWith(bench.tenant, waiting, sender);
    const [message] = await messagesBecome(bench.tenant, conversation, [
      { status: 'pending', error: 'The instance is stopped' },
    ]);
    const list = await work.run('messages', 'list', '--status', 'pending');
    expect(list.stdout).toMatch(/^ID +STATUS +FROM +INSTANCE +ATTEMPTS +RECEIVED +WHY\n/);
    expect(list.stdout).toMatch(
      new RegExp(`^${message?.id}  pending  ${sender} .* The instance is stopped$`, 'm'),
    );
    expect((await work.run('conversations', 'show', conversation)).stdout).toMatch(
      /sender {2}hello {2}\(pending\)\n {30}The instance is stopped\n/,
    );
    expect((await work.run('messages', 'retry', message?.id ?? '')).code).toBe(5);
    await database.query(`update channel_messages set status = 'dead', finished_at = now() where id = $1`, [
      message?.id,
    ]);
    expect((await work.run('messages', 'retry', message?.id ?? '')).stdout).toBe(
      `${message?.id} is pending again\n`,
    );
  });
});

describe('connections', () => {
  it('are listed with the reason why the channel refused them', async () => {
    const { customer_id } = agent.instance;
    const id = await addToken(bench.tenant, customer_id, 'token-2');
    await bench.service.database.query(
      `update connections set refused_at = now(), last_error = 'Session has expired' where id = $1`,
      [id],
    );
    const { stdout } = await work.run('connections', 'list', customer_id);
    expect(stdout).toMatch(/ LAST ERROR\n/);
    expect(stdout).toMatch(new RegExp(`^${id}  chatapp .* expired .* Session has expired$`, 'm'));
  });
});
