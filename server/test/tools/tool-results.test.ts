import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { configure } from '../support/conversations.ts';
import { connectToGateway } from '../support/gateway.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { FakeToolServer, legacyMcp, rawMcp } from '../support/tool-server.ts';

let service: TestService;
let tenant: TestTenant;
const server = new FakeToolServer();

beforeAll(async () => {
  await server.start();
  service = await startTestService({ toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }) });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  server.stop();
});
afterEach(() => {
  server.instead = undefined;
});

const LIST = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };

interface Result {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
}

/** Each has a path of its own, because lists are kept by address. */
let paths = 0;

async function look(): Promise<Result> {
  const instance = await insertInstance(service, tenant.tenant_id);
  await configure(service, instance, { mcp_servers: [{ name: 'raw', url: `${server.url}/${++paths}` }] }, 30);
  const client = await connectToGateway(service, tenant, instance.id);
  return client.callTool({ name: 'raw__look', arguments: {} });
}

describe('a result reaches the model as text', () => {
  const data = 'aGk=';
  it.each<[string, object, string]>([
    ['structured content', { content: [], structuredContent: { a: [1] } }, '{"a":[1]}'],
    ['structured content that is a list', { content: [], structuredContent: [1] }, '[1]'],
    [
      'structured content beside other words',
      { content: [{ type: 'text', text: 'Two.' }], structuredContent: { a: 2 } },
      'Two.\n{"a":2}',
    ],
    [
      'structured content that is told already',
      { content: [{ type: 'text', text: '{ "a": 2 }' }], structuredContent: { a: 2 } },
      '{ "a": 2 }',
    ],
    [
      'an embedded text',
      { content: [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'Hello' } }] },
      'file:///a.txt:\nHello',
    ],
    [
      'an embedded file',
      { content: [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'a/b', blob: data } }] },
      '[A file: file:///a (a/b)]',
    ],
    [
      'a link',
      { content: [{ type: 'resource_link', name: 'Plan', uri: 'https://a.example/plan', mimeType: 'a/b' }] },
      '[A link: Plan, https://a.example/plan, a/b]',
    ],
    ['a picture', { content: [{ type: 'image', data, mimeType: 'image/png' }] }, '[A picture (image/png)]'],
    [
      'a recording',
      { content: [{ type: 'audio', data, mimeType: 'audio/ogg' }] },
      '[A recording (audio/ogg)]',
    ],
    [
      'a kind that nobody knows',
      { content: [{ type: 'hologram', beam: 1 }] },
      '{"type":"hologram","beam":1}',
    ],
    ['bare texts', { content: ['one', 'two'] }, 'one\ntwo'],
    ['no content at all', { toolResult: { a: 1 } }, '{"toolResult":{"a":1}}'],
  ])('%s', async (_, result, text) => {
    server.instead = rawMcp({ 'tools/list': () => LIST, 'tools/call': () => result });
    const { content, isError } = await look();
    expect(content.flatMap((block) => block.text ?? []).join('\n')).toBe(text);
    expect(isError ?? false).toBe(false);
  });

  it('and pictures stay beside their word', async () => {
    const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    server.instead = rawMcp({ 'tools/list': () => LIST, 'tools/call': () => ({ content: [picture] }) });
    expect((await look()).content[0]).toEqual(picture);
  });
});

describe('a session that the server has forgotten', () => {
  const done = { content: [{ type: 'text', text: 'done' }] };
  it.each<[string, number, object]>([
    ['with 404', 404, { code: -32_001, message: 'Session not found' }],
    ['with 400', 400, { code: -32_000, message: 'Bad Request: No valid session ID provided' }],
  ])('is begun anew within the call: %s', async (_, status, error) => {
    let calls = 0;
    const legacy = legacyMcp({
      'tools/list': () => LIST,
      'tools/call': () => (++calls === 1 ? { status, error } : done),
    });
    server.instead = legacy.serve;
    expect((await look()).content).toEqual(done.content);
    expect(legacy.seen.slice(-6)).toEqual([
      'initialize -',
      'notifications/initialized s2',
      'tools/call s2',
      'initialize -',
      'notifications/initialized s3',
      'tools/call s3',
    ]);
  });

  it('again and again is a call that was not made', async () => {
    const legacy = legacyMcp({
      'tools/list': () => LIST,
      'tools/call': () => ({ status: 404, error: { code: -32_001, message: 'Session not found' } }),
    });
    server.instead = legacy.serve;
    const { isError, content } = await look();
    expect([isError, content[0]?.text]).toEqual([true, 'raw could not be used. It answered with status 404']);
    expect(legacy.seen.filter((line) => line.startsWith('tools/call'))).toHaveLength(3);
  });
});
