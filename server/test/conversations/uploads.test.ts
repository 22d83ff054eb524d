import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  messagesIn,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { html, jpeg, office, pdf, png } from '../support/files.ts';
import { purgeAll } from '../support/jobs.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import type { TestEndpoint } from '../support/webhook.ts';

const MIB = 1024 * 1024;
const of = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 7)]);

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
});
afterAll(() => service.stop());

interface Talk {
  tenant: TestTenant;
  agent: TestEndpoint;
  id: string;
}
interface Uploaded {
  media_id: string;
  mime_type: string;
  size: number;
}

async function talk(of: TestTenant = tenant, retention_days = 30): Promise<Talk> {
  const agent = await createAgent(service, of, {}, { retention_days });
  const sender = uniqueSender();
  await write(service, agent, sender, 'hi');
  return { tenant: of, agent, id: (await conversationWith(of, agent, sender)).id };
}

const pathOf = ({ id }: Talk) => `/v1/conversations/${id}/media`;
const upload = (at: Talk, raw: Buffer, headers: Record<string, string> = {}) =>
  at.tenant.api.request<Uploaded & { detail: string }>('POST', pathOf(at), { raw, headers });
const say = ({ agent, id }: Talk, fields: object) =>
  answer(service, agent, id, { in_reply_to: null, idempotency_key: randomUUID(), ...fields });
const read = (at: Talk, media_id: string) =>
  fetch(`${service.base_url}${pathOf(at)}/${media_id}`, { headers: { 'x-api-key': at.tenant.key } });
const filesOf = async ({ id }: Talk) =>
  (
    await service.database.query<{ pieces: number }>(
      `select count(p)::int as pieces from uploads u left join upload_pieces p on p.upload_id = u.id
       where u.conversation_id = $1 group by u.id`,
      [id],
    )
  ).map(({ pieces }) => pieces);

describe('an upload', () => {
  it('is a file of the conversation, which is read as it was sent', async () => {
    const at = await talk();
    const bytes = of(pdf, 3 * MIB + 5);
    const { status, body } = await upload(at, bytes, {
      'x-filename': encodeURIComponent('Käse/plan\u202e.pdf'),
    });
    expect([status, body]).toEqual([
      201,
      { media_id: expect.any(String), mime_type: 'application/pdf', size: bytes.length },
    ]);
    const answered = await read(at, body.media_id);
    expect(answered.status).toBe(200);
    expect(Buffer.from(await answered.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answered.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': "attachment; filename*=UTF-8''K%C3%A4se%20plan%20.pdf",
      'x-content-type-options': 'nosniff',
    });
    expect(await filesOf(at)).toEqual([4]);
  });

  it('is what its bytes say, whatever the header says', async () => {
    const at = await talk();
    const typed = (raw: Buffer, type: string) => upload(at, raw, { 'content-type': type });
    expect((await typed(png, 'text/html')).body.mime_type).toBe('image/png');
    expect((await typed(html, 'image/png')).status).toBe(415);
    expect((await typed(office('docm'), 'application/pdf')).status).toBe(415);
    expect((await typed(Buffer.from('{}'), 'application/json')).status).toBe(415);
    expect((await at.tenant.api.request('POST', pathOf(at))).status).toBe(415);
  });

  it('has a bound on its size', async () => {
    const at = await talk();
    expect((await upload(at, of(jpeg, 5 * MIB))).status).toBe(201);
    expect((await upload(at, of(jpeg, 5 * MIB + 1))).status).toBe(413);
    expect((await upload(at, of(pdf, 16 * MIB))).status).toBe(201);
    expect((await upload(at, of(pdf, 16 * MIB + 1))).status).toBe(413);
    expect(await filesOf(at)).toEqual([5, 16].map(() => expect.any(Number)));
  });

  it('is refused with a name that is none', async () => {
    const at = await talk();
    for (const name of ['a%00b', 'x'.repeat(256)])
      expect(await upload(at, pdf, { 'x-filename': name })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['header', 'x-filename'], type: 'value_error' }] },
      });
    expect((await upload(at, pdf, { 'x-filename': '100% sure.pdf' })).status).toBe(201);
  });

  it('belongs to its conversation alone', async () => {
    const [at, other] = [await talk(), await talk()];
    const stranger = await talk(await service.createTenant());
    const { media_id } = (await upload(at, pdf)).body;
    expect((await read({ ...other, tenant: at.tenant }, media_id)).status).toBe(404);
    expect((await read({ ...at, tenant: stranger.tenant }, media_id)).status).toBe(404);
    expect((await upload({ ...at, tenant: stranger.tenant }, pdf)).status).toBe(404);
    expect((await say(other, { media: [{ id: media_id }] })).status).toBe(422);
    expect((await say(at, { media: [{ id: media_id }] })).status).toBe(202);
    const key = await service.createKey(tenant.tenant_id, { scopes: ['conversations:read'] });
    const reader = service.anonymous.with({ 'x-api-key': key });
    expect((await reader.request('POST', pathOf(at), { raw: pdf })).status).toBe(403);
  });

  it('comes from a runtime too, for its own conversations', async () => {
    const [at, other] = [await talk(), await talk()];
    const internal = ({ agent }: Talk, { id }: Talk) =>
      service.operations.request<Uploaded>(
        'POST',
        `/internal/v1/instances/${agent.instance.id}/conversations/${id}/media`,
        { raw: png },
      );
    const made = await internal(at, at);
    expect([made.status, made.body.mime_type]).toEqual([201, 'image/png']);
    expect((await internal(at, other)).status).toBe(404);
    const path = `/internal/v1/instances/${at.agent.instance.id}/media/${made.body.media_id}`;
    expect((await service.operations.get(path)).status).toBe(200);
  });

  it('is one of two of a tenant and four of all, and the next one is refused at once', async () => {
    const tenants = [tenant, await service.createTenant(), await service.createTenant()];
    const talks = await Promise.all(tenants.map((one) => talk(one)));
    const [first, second, third] = talks as [Talk, Talk, Talk];
    const held = [first, first, second, second].map((at) => slowly(at));
    const refusal = { status: 429, body: { detail: 'Too many files are uploaded at once; try again' } };
    await vi.waitFor(async () => expect(await upload(first, pdf)).toMatchObject(refusal), WAIT);
    await vi.waitFor(async () => expect(await upload(third, pdf)).toMatchObject(refusal), WAIT);
    for (const leave of held) leave();
    await vi.waitFor(async () => expect((await upload(third, pdf)).status).toBe(201), WAIT);
    await vi.waitFor(async () => expect((await upload(first, pdf)).status).toBe(201), WAIT);
  });
});

/** The beginning of an upload, again where others had the permits for a moment. @returns leave */
function slowly(at: Talk): () => void {
  const { hostname, port } = new URL(service.base_url);
  const head = `POST ${pathOf(at)} HTTP/1.1\r\nhost: x\r\nx-api-key: ${at.tenant.key}\r\ncontent-length: 1000\r\n\r\n%PDF`;
  let socket: Socket | undefined;
  const begin = () => {
    socket?.destroy();
    socket = connect(Number(port), hostname).once('data', begin);
    socket.write(head);
  };
  begin();
  return () => socket?.destroy();
}

describe('an answer with a file', () => {
  it('shows it, and is the only one that takes it', async () => {
    const at = await talk();
    const { media_id } = (await upload(at, png, { 'x-filename': 'plan.png' })).body;
    const ask = { media: [{ id: media_id }], text: 'The plan' };
    const answers = await Promise.all([say(at, ask), say(at, ask), say(at, ask)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '422', '422']);
    expect((await messagesIn(at.tenant, at.id)).slice(1)).toMatchObject([
      {
        kind: 'image',
        text: 'The plan',
        media: [{ id: media_id, mime_type: 'image/png', size: png.length, filename: 'plan.png' }],
      },
    ]);
    expect((await read(at, media_id)).status).toBe(200);
  });

  it('is the same answer when it is sent again', async () => {
    const at = await talk();
    const { media_id } = (await upload(at, pdf)).body;
    await at.tenant.api.patch(`/v1/conversations/${at.id}`, { mode: 'human' });
    const send = () =>
      at.tenant.api.post<{ id: string; text: null; kind: string }>(`/v1/conversations/${at.id}/messages`, {
        media: [{ id: media_id }],
        idempotency_key: 'once',
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, first.body.kind, first.body.text]).toEqual([202, 'document', null]);
    expect(again.body.id).toBe(first.body.id);
  });
});

describe('a file is erased', () => {
  it('a day after its upload when no answer has taken it', async () => {
    const at = await talk();
    const [taken, unused] = [(await upload(at, pdf)).body, (await upload(at, pdf)).body];
    await say(at, { media: [{ id: taken.media_id }] });
    const age = (hours: number) =>
      service.database.query(
        `update uploads set created_at = now() - $2 * interval '1 hour' where conversation_id = $1`,
        [at.id, hours],
      );
    await age(23);
    await purgeAll(service, ['uploads']);
    expect((await read(at, unused.media_id)).status).toBe(200);
    await age(25);
    await purgeAll(service, ['uploads']);
    expect((await read(at, unused.media_id)).status).toBe(404);
    expect((await read(at, taken.media_id)).status).toBe(200);
    expect(await filesOf(at)).toEqual([1]);
  });

  it('with the content of its answer, and with the conversation', async () => {
    const [at, other] = [await talk(), await talk()];
    for (const one of [at, other]) {
      const { media_id } = (await upload(one, pdf)).body;
      expect((await say(one, { media: [{ id: media_id }] })).status).toBe(202);
    }
    await service.database.query(
      `update channel_messages set erase_at = now() - interval '1 hour' where conversation_id = $1`,
      [at.id],
    );
    await purgeAll(service, ['message_contents']);
    expect(await filesOf(at)).toEqual([]);
    expect((await tenant.api.delete(`/v1/conversations/${other.id}`)).status).toBe(204);
    expect(await filesOf(other)).toEqual([]);
  });

  it('and counts into what the tenant stores until then', async () => {
    const mine = await service.createTenant();
    const at = await talk(mine);
    await upload(at, of(pdf, 2 * MIB));
    const limit = (stored_mib: number | null) =>
      service.operations.patch(`/internal/v1/tenants/${mine.tenant_id}`, { limits: { stored_mib } });
    await limit(1);
    await purgeAll(service, ['stored_changes']);
    expect(await upload(at, pdf)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('limit of 1') },
    });
    const path = `/internal/v1/instances/${at.agent.instance.id}/conversations/${at.id}/media`;
    expect((await service.operations.request('POST', path, { raw: pdf })).status).toBe(429);
    await mine.api.delete(`/v1/conversations/${at.id}`);
    await purgeAll(service, ['stored_changes']);
    const next = await talk(mine);
    expect((await upload(next, pdf)).status).toBe(201);
  });
});
