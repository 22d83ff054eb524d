import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EventReceiver } from '../../server/test/support/event-receiver.ts';
import type { Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

const WAIT = { timeout: 60_000, interval: 30 };

interface Delivery {
  id: string;
  type: string;
  status: string;
}

let bench: CliBench;
let work: Workplace;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
});
afterAll(() => bench.stop());

it('a program is told of events, tested, switched off and forgotten, and its deliveries are sent again', async () => {
  const receiver = await EventReceiver.start();
  const created = await work.run('events', 'create', '--to', receiver.url, '--event', 'instance.failed');
  expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)]);
  const { items } = await work.json<{ items: { id: string; events: string[] }[] }>('events', 'list');
  expect(items.map(({ events }) => events)).toEqual([['instance.failed']]);
  const id = items[0]?.id ?? expect.unreachable();
  expect((await work.run('events', 'test', id)).code).toBe(0);
  await receiver.hasReceived(1);
  // The receiver has it before the service notes so.
  const delivery = await vi.waitFor(async () => {
    const listed = await work.json<{ items: Delivery[] }>('events', 'deliveries', id);
    expect(listed.items).toMatchObject([{ type: 'ping', status: 'delivered' }]);
    return listed.items[0] ?? expect.unreachable();
  }, WAIT);
  expect((await work.run('events', 'redeliver', id, delivery.id)).code).toBe(0);
  await receiver.hasReceived(2);
  const rotated = await work.run('events', 'rotate-secret', id, '--overlap', '0');
  expect(rotated.stdout).toMatch(/^whsec_/);
  expect((await work.run('events', 'off', id)).code).toBe(0);
  expect((await work.run('events', 'test', id)).code).toBe(5);
  expect((await work.run('events', 'on', id)).code).toBe(0);
  expect((await work.run('events', 'remove', id)).code).toBe(0);
  expect(await work.json('events', 'list')).toMatchObject({ total: 0 });
});

it('the address of a chat is read from a file, and its host alone is shown', async () => {
  await work.write('chat.yaml', 'url: https://hooks.example.com/T0/secret-path\n');
  const args = ['--format', 'slack', '-f', 'chat.yaml', '--description', 'Operators'];
  expect((await work.run('events', 'create', ...args)).code).toBe(0);
  const { stdout } = await work.run('events', 'list');
  expect(stdout).toMatch(/ hooks\.example\.com\s+\*\s+slack\s+on\s/);
  const unknown = await work.run('events', 'create', '--to', 'https://example.com/', '--event', 'unknown');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('events')]);
});
