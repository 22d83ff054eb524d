import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerEach, createAgent } from '../../server/test/support/conversations.ts';
import { startTestService, type TestService, type TestTenant } from '../../server/test/support/service.ts';
import { ApiError, ConnectionError, ControlPlane, type FollowedMessage } from '../src/index.ts';
import { answer, hangUp, Loopback, type Step } from './support/loopback.ts';
import { passOn, startRelay } from './support/relay.ts';

let service: TestService;
let tenant: TestTenant;
let acp: ControlPlane;
let instance_id: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  acp = clientAt(service.base_url);
  ({
    instance: { id: instance_id },
  } = await createAgent(service, tenant));
  answerEach(service, ({ text }) => `You said ${String(text)}`);
});
afterAll(() => service.stop());

let loopback: Loopback | undefined;
afterEach(async () => {
  await loopback?.stop();
  loopback = undefined;
});

const clientAt = (baseUrl: string) => new ControlPlane({ baseUrl, apiKey: tenant.key });

async function through(...streams: Step[]): Promise<ControlPlane> {
  loopback = await startRelay(service.base_url, ...streams);
  return clientAt(loopback.baseUrl);
}

const say = async (text: string, conversation_id?: string) =>
  (await acp.conversations.writeInPlayground(instance_id, { text, conversation_id })).conversation_id;

async function readUntil(messages: AsyncIterable<FollowedMessage>, text: string): Promise<FollowedMessage[]> {
  const seen: FollowedMessage[] = [];
  for await (const message of messages) {
    seen.push(message);
    if (message.text === text) break;
  }
  return seen;
}

const textsOf = (messages: readonly FollowedMessage[]) => new Set(messages.map(({ text }) => text));

describe('the messages of a conversation', () => {
  it('are followed from the first, with their changes', async () => {
    const id = await say('one');
    const messages = acp.conversations.followMessages(id);
    const first = await readUntil(messages, 'You said one');
    expect(first.at(-1)).toMatchObject({
      conversation_id: id,
      author: 'agent',
      direction: 'out',
      status: 'delivered',
    });
    await say('two', id);
    const all = await readUntil(acp.conversations.followMessages(id), 'You said two');
    expect(textsOf(all)).toEqual(new Set(['one', 'You said one', 'two', 'You said two']));
    const changes = all.map(({ change }) => change);
    expect(changes).toEqual(changes.toSorted((a, b) => a - b));
  });

  it('resume after a change', async () => {
    const id = await say('one');
    const known = (await readUntil(acp.conversations.followMessages(id), 'You said one')).at(-1)?.change ?? 0;
    await say('two', id);
    const rest = await readUntil(acp.conversations.followMessages(id, { after: known }), 'You said two');
    expect(rest.map(({ text }) => text)).not.toContain('You said one');
  });

  it.each([
    ['ends', () => passOn(service.base_url, 2)],
    ['is of something else', () => answer(200, 'text/event-stream', 'data: nonsense\n\n')],
    ['is refused for a while', () => answer(503, 'text/plain', 'Busy')],
  ])('come once each, in order, when a stream %s', async (_how, step) => {
    const id = await say('one');
    await readUntil(acp.conversations.followMessages(id), 'You said one');
    const relayed = await through(passOn(service.base_url, 1), step(), passOn(service.base_url));
    const followed = relayed.conversations.followMessages(id);
    expect((await followed.next()).value).toMatchObject({ conversation_id: id });
    await say('two', id);
    const rest = await readUntil(followed, 'You said two');
    const changes = rest.map(({ change }) => change);
    expect(changes).toEqual([...new Set(changes)].toSorted((a, b) => a - b));
    const streams = loopback?.received.filter(({ headers }) => headers.accept === 'text/event-stream') ?? [];
    expect(Number(streams.at(-1)?.headers['last-event-id'])).toBeGreaterThan(0);
  });

  it('are left by closing the stream', async () => {
    const id = await say('one');
    const relayed = await through(passOn(service.base_url));
    const closed = once(loopback as Loopback, 'closed');
    await readUntil(relayed.conversations.followMessages(id), 'one');
    await closed;
  });

  it('are refused like any call, and throw when the server is unreachable at first', async () => {
    const id = await say('one');
    const stranger = await service.createTenant();
    const theirs = new ControlPlane({ baseUrl: service.base_url, apiKey: stranger.key });
    await expect(theirs.conversations.followMessages(id).next()).rejects.toMatchObject({ status: 404 });
    await expect(theirs.conversations.followMessages(id).next()).rejects.toBeInstanceOf(ApiError);
    loopback = await Loopback.start(hangUp);
    const gone = clientAt(loopback.baseUrl);
    await expect(gone.conversations.followMessages(id).next()).rejects.toBeInstanceOf(ConnectionError);
  });

  it('end with the reason of the signal', async () => {
    const id = await say('one');
    const stop = new AbortController();
    const followed = acp.conversations.followMessages(id, { signal: stop.signal });
    await followed.next();
    stop.abort(new Error('Enough'));
    await expect(readUntil(followed, 'never')).rejects.toThrow('Enough');
  });
});
