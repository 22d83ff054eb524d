import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventReceiver, type TestDelivery } from '../server/test/support/event-receiver.ts';
import { call } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const ENVIRONMENT = { EVENTS_ALLOWED_HOSTS: '127.0.0.1' };
const PINGS = 8;

let server: ServerProcess;

beforeEach(async () => {
  server = await ServerProcess.inNewDirectory();
});
afterEach(() => server.remove());

/** @returns the path of an endpoint whose deliveries were all asked for */
async function askFor(credentials: Credentials, url: string): Promise<string> {
  const { id } = await call<{ id: string }>(credentials, 'POST', '/v1/event-endpoints', {
    url,
    events: ['*'],
  });
  for (let sent = 0; sent < PINGS; sent++) await call(credentials, 'POST', `/v1/event-endpoints/${id}/test`);
  return `/v1/event-endpoints/${id}/deliveries`;
}

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'a server that ends by %s while it calls sends again what was not taken, and nothing else',
  async (signal) => {
    const receiver = await EventReceiver.start();
    let taken = 0;
    // Half of them are answered before the end, the others never.
    receiver.respond = (response) => {
      if (taken < PINGS / 2) response.writeHead(204).end();
      taken++;
    };
    const before = await server.start(ENVIRONMENT);
    const path = await askFor(before, receiver.url);
    await receiver.hasReceived(PINGS);
    const delivered = async (credentials: Credentials) =>
      (await call<{ items: TestDelivery[] }>(credentials, 'GET', `${path}?status=delivered`)).items;
    await expect.poll(async () => (await delivered(before)).length, { timeout: 60_000 }).toBe(PINGS / 2);
    await server.end(signal);
    receiver.respond = (response) => response.writeHead(204).end();
    const after = await server.start(ENVIRONMENT);
    await expect.poll(async () => (await delivered(after)).length, { timeout: 60_000 }).toBe(PINGS);
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    const times = (await delivered(after)).map(({ event_id }) => ids.filter((id) => id === event_id).length);
    expect(times.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  },
);
