import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { accessToken, customerId, instanceId, messageSecret, proxyKey } from './support/ids.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

it('is healthy without a credential', async () => {
  const runtime = await startRuntime();
  const { status, body } = await runtime.request('GET', '/health', undefined, {});
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', instance_id: instanceId } });
});

it.each([
  ['none', {}],
  ['another secret', { authorization: 'Bearer another' }],
  ['the right secret and more', { authorization: `Bearer ${messageSecret}x` }],
  ['another scheme', { authorization: `Basic ${messageSecret}` }],
])('refuses messages and secrets with %s as credential', async (_name, headers) => {
  const runtime = await startRuntime();
  const message = await runtime.request('POST', '/messages', messageOf('help'), headers);
  const secrets = await runtime.request('PUT', '/secrets', { connections: {} }, headers);
  expect([message.status, secrets.status]).toEqual([401, 401]);
  expect(message.body).toEqual({ detail: 'Not authenticated' });
  expect(runtime.controlPlane.texts()).toEqual([]);
});

it.each([
  ['GET', '/', 404],
  ['GET', '//', 404],
  ['POST', '/messages/1', 404],
  ['POST', '/health', 405],
  ['GET', '/messages', 405],
  ['POST', '/secrets', 405],
])('answers %s %s with %i and a detail', async (method, path, status) => {
  const runtime = await startRuntime();
  const answer = await runtime.request(method, path);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ detail: expect.any(String) });
  expect(answer.headers.has('allow')).toBe(status === 405);
});

const valid = messageOf('help');
const malformed: [string, unknown][] = [
  ['nothing', undefined],
  ['half an object', '{"message_id":'],
  ['null', 'null'],
  ['a list', []],
  ['a number as text', { ...valid, text: 1 }],
  ['no message_id', { ...valid, message_id: '' }],
  ['no channel', { ...valid, channel: undefined }],
  ['no external_id', { ...valid, external_id: null }],
  ['a customer that is no id', { ...valid, customer_id: '../../tenants' }],
  ['an identity that is no id', { ...valid, identity_id: 'x/pin' }],
  ['a time that is none', { ...valid, received_at: 'soon' }],
  ['no conversation', { ...valid, conversation_id: undefined }],
  ['no customer', { ...valid, customer_id: null }],
];

it.each(malformed)('answers a message of %s with 422 and stays alive', async (_name, body) => {
  const runtime = await startRuntime();
  const answer = await runtime.request('POST', '/messages', body);
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ detail: expect.any(String) });
  expect((await runtime.request('GET', '/health')).status).toBe(200);
});

it('answers a body that is not UTF-8 with 422', async () => {
  const runtime = await startRuntime();
  const response = await fetch(`${runtime.url}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${messageSecret}` },
    body: Buffer.from(JSON.stringify(messageOf('caf\u00e9')), 'latin1'),
  });
  expect(response.status).toBe(422);
});

const padded = (extra: string) => JSON.stringify({ ...messageOf('help'), extra });

it('accepts a body of 16 MiB and refuses a larger one with 413', async () => {
  const runtime = await startRuntime();
  const room = 16 * 1024 * 1024 - Buffer.byteLength(padded(''));
  expect((await runtime.request('POST', '/messages', padded('x'.repeat(room)))).status).toBe(200);
  const large = await runtime.request('POST', '/messages', padded('x'.repeat(20 * 1024 * 1024)));
  expect(large.status).toBe(413);
  expect(large.body).toEqual({ detail: 'The body is larger than 16 MiB' });
});

it('survives an aborted request and bytes that are not HTTP', async () => {
  const runtime = await startRuntime();
  const { port } = new URL(runtime.url);
  await new Promise<void>((resolve) => {
    const request = httpRequest({
      port,
      path: '/messages',
      method: 'POST',
      headers: { authorization: `Bearer ${messageSecret}`, 'content-length': '1000' },
    });
    request.on('error', () => resolve());
    request.write('{"message_id"', () => request.destroy(new Error('broken off')));
  });
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('\0\0rubbish\r\n\r\n'));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
  expect((await runtime.request('GET', '/health')).status).toBe(200);
});

it('replaces the secrets in memory', async () => {
  const runtime = await startRuntime({ secrets: { connections: {} } });
  await runtime.deliver(messageOf('help'));
  expect(runtime.sendApi.seen).toEqual([]);
  const connections = {
    [customerId]: [{ provider: 'chatapp', name: 'x', credentials: { access_token: accessToken } }],
  };
  const replaced = await runtime.request('PUT', '/secrets', { connections, api_keys: {} });
  expect(replaced).toMatchObject({ status: 204, body: undefined });
  await runtime.deliver(messageOf('help'));
  await expect.poll(() => runtime.sendApi.seen[0]?.authorization).toBe(`Bearer ${accessToken}`);
  expect(runtime.logged()).not.toContain(accessToken);
});

it('uses the proxy key of the latest secrets', async () => {
  const runtime = await startRuntime();
  await runtime.say('who can dance');
  await runtime.request('PUT', '/secrets', { proxy_key: 'rotated', connections: {} });
  await runtime.deliver(messageOf('who can dance'));
  const keys = runtime.controlPlane.seen.map(({ authorization }) => authorization);
  expect(keys.at(0)).toBe(`Bearer ${proxyKey}`);
  expect(keys.at(-1)).toBe('Bearer rotated');
});

it.each([[{}], [{ connections: [] }], [{ connections: { [customerId]: [{ provider: 'chatapp' }] } }]])(
  'refuses %j as secrets and keeps those it has',
  async (body) => {
    const runtime = await startRuntime();
    expect((await runtime.request('PUT', '/secrets', body)).status).toBe(422);
    expect((await runtime.deliver(messageOf('help'))).body).toEqual({ status: 'answered' });
  },
);
