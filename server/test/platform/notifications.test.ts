import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Notifications } from '../../src/platform/db/notifications.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const PATIENT = { timeout: 60_000, interval: 20 };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = () =>
  database.query(`select from pg_stat_activity
                  where datname = current_database() and application_name like '%notifications'`);

it('closes connections that cannot listen, such as a standby’s', async () => {
  const outage = { lost: vi.fn(), back: vi.fn() };
  // An invalid channel name, which the server refuses like a standby refuses any.
  const notifications = new Notifications(database.url, ['made', ''], outage);
  await expect(notifications.start()).rejects.toThrow('zero-length');
  await vi.waitFor(() => expect(outage.lost).toHaveBeenCalled(), PATIENT);
  await vi.waitFor(async () => expect(await open()).toEqual([]), PATIENT);
  await notifications.close();
});

it('keeps one connection when two replace it at once', async () => {
  const notifications = new Notifications(database.url, ['made'], { lost: vi.fn(), back: vi.fn() });
  await notifications.start();
  await Promise.all([notifications.start(), notifications.start()]);
  await vi.waitFor(async () => expect(await open()).toHaveLength(1), PATIENT);
  await notifications.close();
});

it('reports an outage once, whatever the number of attempts, and its end', async () => {
  const door = await Door.before(Number(new URL(database.url).port || 5432));
  const outage = { lost: vi.fn(), back: vi.fn() };
  const url = database.url.replace(/@[^/]*/, `@127.0.0.1:${door.port}`);
  const notifications = new Notifications(url, ['made'], outage);
  await notifications.start();
  expect(outage.lost).not.toHaveBeenCalled();
  door.shut();
  await vi.waitFor(() => expect(door.turnedAway).toBe(2), PATIENT);
  expect(outage.lost).toHaveBeenCalledTimes(1);
  expect(outage.back).not.toHaveBeenCalled();
  door.open();
  await vi.waitFor(() => expect(outage.back).toHaveBeenCalledTimes(1), PATIENT);
  expect(outage.lost).toHaveBeenCalledTimes(1);
  await notifications.close();
  door.close();
});

/** Forwards to a port while open; closed, it ends and refuses connections. */
class Door {
  turnedAway = 0;
  #isOpen = true;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));
  readonly #to: number;

  private constructor(to: number) {
    this.#to = to;
  }

  static async before(port: number): Promise<Door> {
    const door = new Door(port);
    door.#server.listen(0, '127.0.0.1');
    await once(door.#server, 'listening');
    return door;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  shut(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.shut();
    this.#server.close();
  }

  #join(client: Socket): void {
    if (!this.#isOpen) {
      this.turnedAway++;
      client.destroy();
      return;
    }
    const server = connect(this.#to, '127.0.0.1');
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
    }
    client.pipe(server).pipe(client);
  }
}
