import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Channel, deployAgent } from './channel.ts';
import { deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const ACCOUNTING_RUNTIME = join(import.meta.dirname, 'accounting-runtime.mjs');
const TEST_RUNTIME = join(import.meta.dirname, '../server/test/support/test-runtime.mjs');

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

/**
 * Sends a request without its body. @returns a function that resolves with the response at the end of the connection
 */
async function sendHalf({ base_url, api_key }: Credentials): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(base_url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const head = ['POST /v1/recipes HTTP/1.1', `Host: ${hostname}`, `X-Api-Key: ${api_key}`];
  const body = ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue', '', '{'];
  socket.write([...head, ...body].join('\r\n'));
  await once(socket, 'data');
  const closed = once(socket, 'close');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  return () => closed.then(() => received);
}

async function endsInOrder(signal: 'SIGTERM' | 'SIGHUP' = 'SIGTERM'): Promise<void> {
  expect(await server.end(signal)).toBe(0);
  expect(server.runtimes()).toEqual([]);
}

describe('a server that nobody hears', () => {
  it.each([
    ['because its output’s reader has gone', 'closed pipe'],
    ['because there is no room for its output', openSync('/dev/full', 'w')],
  ] as const)('serves, and stops in order: %s', async (_why, output) => {
    const { base_url, api_key } = await server.startWithOutput(output);
    const answer = await fetch(`${base_url}/v1/recipes`, { headers: { 'x-api-key': api_key } });
    expect(answer.status).toBe(200);
    await endsInOrder();
  });
});

describe('a server that is asked to stop', () => {
  it('ends its runtimes even when a request never ends', async () => {
    const credentials = await server.start();
    const { instance_id } = await deploy(credentials);
    await until(credentials, instance_id, 'running');
    const response = await sendHalf(credentials);
    await endsInOrder();
    expect(await response()).toBe('');
  });

  it('ends its runtimes when its terminal goes away', async () => {
    const credentials = await server.start();
    const { instance_id } = await deploy(credentials);
    await until(credentials, instance_id, 'running');
    await endsInOrder('SIGHUP');
  });

  it('ends when npm gets the signal', async () => {
    const { base_url } = await server.startByNpm();
    await endsInOrder();
    await expect(fetch(`${base_url}/healthz`)).rejects.toThrow();
  });

  it('ends a runtime that neither starts nor obeys SIGTERM', async () => {
    const credentials = await server.start({
      RUNTIME_COMMAND: `env SILENT=1 STUBBORN=1 ${process.execPath} ${TEST_RUNTIME}`,
    });
    const { instance_id } = await deploy(credentials);
    const log = join(server.dataDir, 'runtimes', `${instance_id}.log`);
    await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toContain('deaf to SIGTERM'), {
      timeout: 180_000,
      interval: 50,
    });
    await endsInOrder();
  });

  it('lets a turn under way end while it drains, and begins none', async () => {
    const channel = new Channel();
    await channel.start();
    const credentials = await server.start({
      DRAIN_SECONDS: '10',
      RUNTIME_COMMAND: `${process.execPath} ${ACCOUNTING_RUNTIME}`,
      CHATAPP_API_BASE_URL: channel.send_url,
    });
    channel.base_url = credentials.base_url;
    const { instance_id } = await deployAgent(credentials, channel, { channel_config: { burst_seconds: 0 } });
    const state = join(server.dataDir, 'runtimes', instance_id);
    const begun = () => readFile(join(state, 'begun'), 'utf8').catch(() => '');
    await channel.write('4915100000001', 'slow one');
    await vi.waitFor(async () => expect(await begun()).toBe('slow one\n'), {
      timeout: 180_000,
      interval: 20,
    });
    const ended = server.end('SIGTERM');
    const isDraining = async () => (await fetch(`${credentials.base_url}/readyz`)).status === 503;
    await vi.waitUntil(isDraining, { timeout: 180_000, interval: 20 });
    await channel.write('4915100000002', 'late one');
    await writeFile(join(state, 'released'), '');
    expect(await ended).toBe(0);
    expect(channel.sendApi.sent.map(({ body }) => body.text)).toEqual([
      expect.objectContaining({ body: 'answer to slow one' }),
    ]);
    expect(await begun()).toBe('slow one\n');
    await channel.close();
  });

  it('exits with 0 even while it starts, and the next start is a first one', async () => {
    await server.remove();
    server = await ServerProcess.inEmptyDirectory();
    const starting = server.start().catch(() => undefined);
    await vi.waitFor(() => expect(existsSync(join(server.dataDir, 'postgres.password'))).toBe(true), {
      timeout: 180_000,
      interval: 5,
    });
    expect(await server.end('SIGTERM')).toBe(0);
    expect(await starting).toBeUndefined();
    expect(await server.start()).toMatchObject({ api_key: expect.stringMatching(/^acp_/) });
  });
});
