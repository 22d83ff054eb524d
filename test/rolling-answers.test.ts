import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { createTestDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { OPERATIONS_TOKEN, startTestService } from '../server/test/support/service.ts';
import { Channel, deployAgent } from './channel.ts';
import { ReadyProxy } from './ready-proxy.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const SENDERS = 6;
/** Without a limit, one sender would take the copies' CPU. */
const MAX_WAITING = 3;
const WAIT = { timeout: 180_000, interval: 50 };
const RUNTIME = join(import.meta.dirname, 'accounting-runtime.mjs');
const TIER = '5b1c9d52-6f0e-4c39-9a53-6f2c6a3f4f11';

const channel = new Channel();
let database: TestDatabase;
let environment: Record<string, string>;
let copies: { server: ServerProcess; ports: { PORT: string; MTLS_PORT: string } }[];
let proxy: ReadyProxy;
let api_key: string;

beforeAll(async () => {
  await channel.start();
  database = await createTestDatabase();
  const master_key = Buffer.alloc(32, 5);
  const setUp = await startTestService({ database, master_key, runsJobs: false });
  api_key = (await setUp.createTenant()).key;
  await setUp.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await setUp.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  await setUp.service.stop();
  environment = {
    DATABASE_URL: database.url,
    MASTER_KEY: master_key.toString('base64'),
    OPERATIONS_TOKEN,
    RUNTIME_ISOLATION: 'none',
    RUNTIME_COMMAND: `${process.execPath} ${RUNTIME}`,
    CHATAPP_API_BASE_URL: channel.send_url,
    DRAIN_SECONDS: '5',
  };
  copies = [await newCopy(), await newCopy()];
  for (const copy of copies) await start(copy);
  proxy = await ReadyProxy.before(copies.map(({ ports }) => Number(ports.PORT)));
  channel.base_url = proxy.base_url;
});
afterAll(async () => {
  await channel.close();
  await proxy.close();
  for (const { server } of copies) await server.remove();
  await database.drop();
});

const newCopy = async () => ({
  server: await ServerProcess.inNewDirectory(),
  ports: { PORT: String(await freePort()), MTLS_PORT: String(await freePort()) },
});
const start = ({ server, ports }: (typeof copies)[number]) =>
  server.startServed({ ...environment, ...ports });

it('an agent answers every message during rolling restarts, once and in order', async () => {
  await vi.waitFor(async () => expect((await fetch(`${proxy.base_url}/readyz`)).status).toBe(200), WAIT);
  const credentials = { base_url: proxy.base_url, api_key } as Credentials;
  await deployAgent(credentials, channel, { channel_config: { burst_seconds: 0 } });
  const end = new AbortController();
  const written = new Map<string, string[]>();
  const { sent } = channel.sendApi;
  const fewerWaiting = (sender: string, written: number) =>
    vi.waitUntil(() => written - sent.filter(({ body }) => body.to === sender).length < MAX_WAITING, WAIT);
  const talk = async (sender: string) => {
    const texts: string[] = [];
    written.set(sender, texts);
    let calls = 0;
    while (!end.signal.aborted) {
      await fewerWaiting(sender, texts.length);
      const text = `message ${texts.length + 1} of ${sender}`;
      calls += (await channel.write(sender, text)) - 1;
      texts.push(text);
    }
    return calls;
  };
  const talks = Array.from({ length: SENDERS }, (_, index) => talk(`4915${String(100_000_000 + index)}`));
  const more = (count: number) => {
    const until = sent.length + count;
    return vi.waitFor(() => expect(sent.length).toBeGreaterThanOrEqual(until), WAIT);
  };
  await more(20);
  for (const copy of copies) {
    expect(await copy.server.end('SIGTERM')).toBe(0);
    await more(20);
    await start(copy);
    await proxy.sees(Number(copy.ports.PORT));
    await more(20);
  }
  end.abort();
  const again = await Promise.all(talks);
  // Every webhook call succeeded at once.
  expect(again.filter((calls) => calls > 0)).toEqual([]);
  for (const [sender, texts] of written) {
    const answers = texts.map((text) => `answer to ${text}`);
    const answered = () => sent.filter(({ body }) => body.to === sender).map(({ body }) => body.text?.body);
    await vi.waitFor(() => expect(answered()).toEqual(answers), WAIT);
  }
  process.stdout.write(`${sent.length} messages in and out, ${copies.length} restarts\n`);
}, 300_000);
