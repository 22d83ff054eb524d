import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChatappMedia } from '../../src/adapters/chatapp-media.ts';
import { conversationWith, createAgent, uniqueId, uniqueSender, WAIT } from '../support/conversations.ts';
import { FakeMediaChannel, sending } from '../support/media-channel.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint } from '../support/webhook.ts';

const MIB = 1024 * 1024;

let service: TestService;
let tenant: TestTenant;
let stranger: TestTenant;
const channel = new FakeMediaChannel();
const patient = new ChatappMedia({ answerWithinMs: 60_000, doneWithinMs: 60_000 });
/** For a channel that hangs. */
const hurried = new ChatappMedia({ answerWithinMs: 500, doneWithinMs: 60_000 });
let source = patient;

beforeAll(async () => {
  const chatapp_api_base_url = await channel.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
    mediaSource: { open: (...args) => source.open(...args) },
  });
  tenant = await service.createTenant('Acme');
  stranger = await service.createTenant('Stranger');
});
afterAll(async () => {
  await service.stop();
  channel.stop();
});

interface Sent {
  agent: TestEndpoint;
  media_id: string;
  conversation_id: string;
  path: string;
  internal: string;
}

async function send(part: object = {}, agent?: TestEndpoint): Promise<Sent> {
  const to = agent ?? (await createAgent(service, tenant));
  const [sender, media_id] = [uniqueSender(), randomUUID()];
  const document = { id: media_id, mime_type: 'application/pdf', filename: 'Käse "1".pdf', ...part };
  const message = { id: uniqueId(), from: sender, type: 'document', document };
  expect((await sendMessages(service, to, message)).status).toBe(200);
  const { id } = await conversationWith(tenant, to, sender);
  return {
    agent: to,
    media_id,
    conversation_id: id,
    path: `/v1/conversations/${id}/media/${media_id}`,
    internal: `/internal/v1/instances/${to.instance.id}/media/${media_id}`,
  };
}

function tokenOf(media_id: string): string | undefined {
  const found = service.runtimes.messages.find(({ message }) => JSON.stringify(message).includes(media_id));
  return (found?.message as { sender_token?: string } | undefined)?.sender_token;
}

const fetchMedia = (path: string, init: RequestInit = {}) =>
  fetch(service.base_url + path, { ...init, headers: { 'x-api-key': tenant.key } });

describe('media of a message', () => {
  it('are passed on unchanged, to people and to the runtime', async () => {
    const content = randomBytes(MIB);
    const { media_id, path, internal, agent } = await send();
    channel.keep(media_id, content, 'application/pdf');
    const answer = await fetchMedia(path);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(MIB),
      'content-disposition': "attachment; filename*=UTF-8''K%C3%A4se%20%221%22.pdf",
      'x-content-type-options': 'nosniff',
    });
    expect((await service.operations.get(internal)).status).toBe(200);
    const asked = channel.requests.filter(({ path: asked }) => asked.endsWith(media_id));
    expect(asked.map(({ path: at, token }) => [at, token])).toEqual([
      [`/${media_id}`, 'token-1'],
      [`/download/${media_id}`, 'token-1'],
      [`/${media_id}`, 'token-1'],
      [`/download/${media_id}`, 'token-1'],
    ]);
    const forwarded = await vi.waitUntil(
      () => service.runtimes.messages.find(({ address }) => address === agent.instance.runtime_address),
      WAIT,
    );
    expect(forwarded.message).toMatchObject({
      kind: 'document',
      text: null,
      media: [{ id: media_id, mime_type: 'application/pdf', size: null, filename: 'Käse "1".pdf' }],
    });
  });

  it('are only those of the sender whose token the runtime sends', async () => {
    const { media_id, internal, agent } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf');
    const other = await send({}, agent);
    const tokens = await vi.waitFor(() => {
      const found = [media_id, other.media_id].map((id) => tokenOf(id) ?? '');
      expect(found).not.toContain('');
      return found;
    }, WAIT);
    const answers = tokens.map((token) => service.operations.with({ 'x-sender-token': token }).get(internal));
    expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { status: 404 }]);
  });

  it('are 404 for everybody else', async () => {
    const { media_id, path, conversation_id, agent } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf');
    const other = await send();
    const theirs = await createAgent(service, stranger);
    for (const answer of [
      await stranger.api.get(path),
      await tenant.api.get(`/v1/conversations/${other.conversation_id}/media/${media_id}`),
      await tenant.api.get(`/v1/conversations/${conversation_id}/media/${randomUUID()}`),
      await service.operations.get(`/internal/v1/instances/${other.agent.instance.id}/media/${media_id}`),
      await service.operations.get(`/internal/v1/instances/${theirs.instance.id}/media/${media_id}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, text: '{"detail":"Media not found"}' });
    }
    const key = await service.createKey(tenant.tenant_id, { scopes: ['instances:read'] });
    expect((await service.anonymous.with({ 'x-api-key': key }).get(path)).status).toBe(403);
    expect((await service.anonymous.get(`/internal/v1/instances/${agent.instance.id}/media/1`)).status).toBe(
      401,
    );
  });

  it('are 404 once the message’s content was erased', async () => {
    const { media_id, path, conversation_id } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf');
    const mine = [conversation_id];
    await service.database.query(
      'update channel_messages set sealed_content = null where conversation_id = $1',
      mine,
    );
    expect((await tenant.api.get(path)).status).toBe(404);
    expect(
      await service.database.query(
        'select media_hash from channel_messages where conversation_id = $1',
        mine,
      ),
    ).toEqual([{ media_hash: null }]);
  });

  it('have no id that is stored in the clear', async () => {
    const { media_id, conversation_id } = await send();
    const rows = await service.database.query(
      `select m::text as row, encode(m.media_hash, 'escape') as hash, encode(m.sealed_content, 'escape') as content
       from channel_messages m where conversation_id = $1`,
      [conversation_id],
    );
    expect(JSON.stringify(rows)).not.toContain(media_id);
  });
});

describe('the channel', () => {
  const failing: [string, (media_id: string) => void, number, string][] = [
    ['has them no more', () => {}, 404, 'Media not found'],
    [
      'is in trouble',
      (id) => channel.answers.set(`/${id}`, sending('application/json', '{}', 500)),
      502,
      'answered 500',
    ],
    [
      'refuses the token',
      (id) => channel.answers.set(`/${id}`, sending('application/json', '{}', 401)),
      502,
      'access token',
    ],
    [
      'refuses the token with 400',
      (id) => channel.answers.set(`/${id}`, sending('application/json', '{"error":{"code":190}}', 400)),
      502,
      'access token',
    ],
    [
      'hangs',
      (id) => {
        source = hurried;
        channel.answers.set(`/${id}`, () => {});
      },
      502,
      'did not answer',
    ],
    [
      'cuts the connection',
      (id) => channel.answers.set(`/${id}`, (response) => response.destroy()),
      502,
      'did not answer',
    ],
    [
      'answers a page',
      (id) => channel.answers.set(`/${id}`, sending('text/html', '<p>')),
      502,
      'not understood',
    ],
    [
      'answers endlessly',
      (id) => channel.answers.set(`/${id}`, sending('application/json', ' '.repeat(MIB))),
      502,
      'did not answer',
    ],
    [
      'sends a page for the content',
      (id) => {
        channel.keep(id, randomBytes(10), 'application/pdf');
        channel.answers.set(`/download/${id}`, sending('text/html', '<p>'));
      },
      502,
      'a page',
    ],
    [
      'never begins with the content',
      (id) => {
        source = hurried;
        channel.keep(id, randomBytes(10), 'application/pdf');
        channel.answers.set(`/download/${id}`, (response) => response.writeHead(200).flushHeaders());
      },
      502,
      'did not answer',
    ],
    [
      'leads elsewhere',
      (id) => {
        channel.keep(id, randomBytes(10), 'application/pdf');
        channel.answers.set(`/download/${id}`, (response) =>
          response.writeHead(302, { location: '/x' }).end(),
        );
      },
      502,
      'answered 302',
    ],
    [
      'tells too large a size',
      (id) => channel.keep(id, randomBytes(10), 'application/pdf', { file_size: String(25 * MIB + 1) }),
      413,
      '25 MiB',
    ],
    [
      'has too much',
      (id) => channel.keep(id, Buffer.alloc(25 * MIB + 1), 'application/pdf', { file_size: 1 }),
      413,
      '25 MiB',
    ],
    ...[
      'http://169.254.169.254/latest/meta-data',
      'https://evil.example/x',
      'https://evilwhatsapp.net/x',
      'https://lookaside.fbsbx.com:8443/x',
      'http://lookaside.fbsbx.com/x',
      'https://user@lookaside.fbsbx.com/x',
      'file:///etc/passwd',
      'nonsense',
      7,
    ].map((url): [string, (id: string) => void, number, string] => [
      `names the address ${url}`,
      (id) => channel.keep(id, randomBytes(10), 'application/pdf', { url }),
      502,
      'not its own',
    ]),
  ];

  it.each(failing)('%s', async (_, prepare, status, words) => {
    const { media_id, path } = await send();
    onTestFinished(() => void (source = patient));
    prepare(media_id);
    const answer = await tenant.api.get<{ detail: string }>(path);
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(words)]);
    expect(answer.text).not.toContain('token-1');
  });

  it('gets no request without a connection of the customer', async () => {
    const { media_id, path, agent } = await send();
    await service.database.query('update connections set revoked_at = now() where customer_id = $1', [
      agent.instance.customer_id,
    ]);
    expect((await tenant.api.get(path)).status).toBe(502);
    expect(channel.requests.filter(({ path: asked }) => asked.includes(media_id))).toEqual([]);
  });
});

describe('a content', () => {
  it('is streamed, and a download that breaks off is not completed', async () => {
    const { media_id, path } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf', { file_size: undefined });
    const begun = vi.fn();
    channel.answers.set(`/download/${media_id}`, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write('begin');
      begun.mockImplementation(() => response.destroy());
    });
    const request = get(service.base_url + path, { headers: { 'x-api-key': tenant.key } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.toString()).toBe('begin');
    begun();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
  });

  it('of more than 25 MiB without a stated size breaks off', async () => {
    const { media_id, path } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf', { file_size: undefined });
    channel.answers.set(`/download/${media_id}`, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      for (let mib = 0; mib < 27; mib++) response.write(Buffer.alloc(MIB));
      response.end();
    });
    const answer = await fetchMedia(path);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it('is not fetched after the client left, and its permit is released', async () => {
    const { media_id, path } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf');
    const closed = vi.fn();
    channel.answers.set(`/download/${media_id}`, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write('begin');
      response.once('close', closed);
    });
    for (let count = 0; count < 5; count++) {
      const request = get(service.base_url + path, { headers: { 'x-api-key': tenant.key } });
      request.on('error', () => {});
      await once(request, 'response');
      request.destroy();
      await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(count + 1), WAIT);
    }
  });

  it('waits while the tenant reads four, and is refused after 5 s', async () => {
    const { media_id, path } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf');
    const ends: (() => void)[] = [];
    channel.answers.set(`/download/${media_id}`, (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write('begin');
      ends.push(() => response.end());
    });
    const held = Array.from({ length: 4 }, () => fetchMedia(path));
    await Promise.all(held);
    const refused = await tenant.api.get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    for (const end of ends) end();
    for (const answer of held) expect(await (await answer).text()).toBe('begin');
  });

  it('is not fetched for HEAD', async () => {
    const { media_id, path } = await send();
    channel.keep(media_id, randomBytes(10), 'application/pdf');
    const answer = await fetchMedia(path, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '10']);
  });
});
