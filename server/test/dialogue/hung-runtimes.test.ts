import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

/** More than one copy of the service forwards at once. */
const MANY = 70;

const master_key = randomBytes(32);
/** Receives all messages and forwards none. */
let front: TestService;
let stuck: TestTenant;
/** Forward messages. Those with `hung` in their id get no response until the test releases them. */
let copies: TestService[];
let releases: EventEmitter;
let begun: string[];

beforeAll(async () => {
  front = await startTestService({ runsJobs: false, master_key });
  stuck = await front.createTenant('Stuck');
});
afterAll(() => front.stop());

beforeEach(() => {
  copies = [];
  begun = [];
  releases = new EventEmitter().setMaxListeners(0);
});
afterEach(async () => {
  releases.emit('all');
  await Promise.all(copies.map(({ service }) => service.stop()));
  await front.database.query('delete from jobs');
});

async function startCopy(): Promise<void> {
  const copy = await startTestService({ database: front.database, master_key, servesClients: false });
  copies.push(copy);
  copy.runtimes.onMessage = async ({ message_id }) => {
    const id = String(message_id);
    begun.push(id);
    if (id.includes('hung')) await once(releases, 'all');
  };
}
const taken = () =>
  copies.flatMap(({ runtimes }) => runtimes.messages.map(({ message }) => message.message_id));
/** Resolves when a copy has used all its initial permits. */
const allAreBusy = () =>
  vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(8), { timeout: 60_000 });
const isTaken = (message_id: string) =>
  vi.waitFor(() => expect(taken()).toContain(message_id), { timeout: 60_000 });
const hungMessages = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => textMessage(`hung-${name}-${index}`, 'Hello', `${index}`));
async function expectToArrive(endpoint: TestEndpoint, id: string): Promise<void> {
  await sendMessages(front, endpoint, textMessage(id, 'Hello'));
  await isTaken(id);
}

it('forwards another tenant’s message while a runtime hangs with many conversations', async () => {
  const quiet = await createEndpoint(front, await front.createTenant('Quiet'));
  await sendMessages(front, await createEndpoint(front, stuck), ...hungMessages(MANY, 'one'));
  await startCopy();
  await allAreBusy();
  await expectToArrive(quiet, 'quiet');
});

it('forwards a message of another instance of the same tenant meanwhile', async () => {
  const sound = await createEndpoint(front, stuck);
  await sendMessages(front, await createEndpoint(front, stuck), ...hungMessages(MANY, 'own'));
  await startCopy();
  await allAreBusy();
  await expectToArrive(sound, 'sound');
});

it('forwards another tenant’s message while many runtimes of one tenant hang', async () => {
  const quiet = await createEndpoint(front, await front.createTenant('Quiet'));
  for (let count = 0; count < 30; count++) {
    await sendMessages(front, await createEndpoint(front, stuck), ...hungMessages(1, `${count}`));
  }
  await startCopy();
  await allAreBusy();
  await expectToArrive(quiet, 'quiet-too');
  expect(begun.filter((id) => id.startsWith('hung')).length).toBeLessThanOrEqual(16);
});

it('keeps the order of a conversation with two copies of the service', async () => {
  const slow = await createEndpoint(front, stuck);
  const sound = await createEndpoint(front, await front.createTenant('Sound'));
  const ids = ['1-hung', '2', '3-hung', '4'];
  await sendMessages(front, slow, ...ids.map((id) => textMessage(id, 'Hello')));
  await sendMessages(front, await createEndpoint(front, stuck), ...hungMessages(MANY, 'beside'));
  await startCopy();
  await startCopy();
  await vi.waitFor(() => expect(begun).toContain('1-hung'), { timeout: 60_000 });
  await allAreBusy();
  await expectToArrive(sound, 'sound-beside');
  expect(begun.filter((id) => ids.includes(id))).toEqual(['1-hung']);
  releases.emit('all');
  await vi.waitFor(() => expect(begun).toContain('3-hung'), { timeout: 60_000 });
  await expectToArrive(sound, 'sound-later');
  expect(begun.filter((id) => ids.includes(id))).toEqual(ids.slice(0, 3));
  releases.emit('all');
  await isTaken('4');
  expect(begun.filter((id) => ids.includes(id))).toEqual(ids);
});
