import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import { holdMessages } from '../support/held-messages.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';
import {
  changeFor,
  conversationsOf,
  createEndpoint,
  deliver,
  messagesCountedBy,
  payloadOf,
  sendMessages,
  storedMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  tenant = await service.createTenant('Acme');
  await service.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
  await service.database.query(
    `create trigger refuse before insert on channel_messages for each row
       when (new.message_id = 'refused') execute function refuse()`,
  );
});
afterAll(() => service.stop());

const newEndpoint = (of = service, by = tenant) => createEndpoint(of, by);
const send = (to: TestEndpoint, id: string, from?: string, by = service) =>
  sendMessages(by, to, textMessage(id, 'Hello', from));
const sendAll = (to: TestEndpoint, ids: readonly string[]) =>
  sendMessages(service, to, ...ids.map((id) => textMessage(id, 'Hello')));
const storedIds = async (of: TestEndpoint) =>
  (await storedMessages(service, of)).map(({ message_id }) => message_id);
const statuses = (answers: readonly Promise<{ status: number }>[]) =>
  Promise.all(answers.map(async (answer) => (await answer).status));

/** Blocks all groups, so that later deliveries form one group. */
async function occupy(of: TestService, endpoint: TestEndpoint) {
  const { release } = await holdMessages(of, endpoint, 'first', 'second');
  const answers = [send(endpoint, 'first', undefined, of)];
  await lockWaits(of.database, 1);
  answers.push(send(endpoint, 'second', undefined, of));
  await lockWaits(of.database, 2);
  return { release, answers };
}

/** Resolves when all deliveries wait to be stored. */
async function queued<T>(of: TestService, sendAll: () => Promise<T>[]): Promise<Promise<T>[]> {
  const store = vi.spyOn(of.service.services.inbox, 'store');
  try {
    const sent = sendAll();
    await vi.waitFor(() => expect(store).toHaveBeenCalledTimes(sent.length), {
      timeout: 60_000,
      interval: 5,
    });
    return sent;
  } finally {
    store.mockRestore();
  }
}

/** As another copy of the service, without a notification to this one. */
async function replaceSecret({ id }: TestEndpoint, app_secret: string): Promise<void> {
  expect((await tenant.api.patch(`/v1/channel-endpoints/${id}`, { app_secret })).status).toBe(200);
}
/** A payload without a message. */
function sendStatus({ phone_number_id, app_secret }: TestEndpoint) {
  const change = changeFor(phone_number_id);
  return deliver(
    service,
    payloadOf({ ...change, value: { ...change.value, statuses: [{ id: '1' }] } }),
    app_secret,
  );
}

it('contents of a delivery are built piece by piece, and not at all without a valid signature', async () => {
  const own = await newEndpoint();
  const messages = Array.from({ length: 2000 }, (_, nth) => textMessage(`m${nth}`, 'Hello'));
  const payload = JSON.stringify(payloadOf(changeFor(own.phone_number_id, ...messages)));
  const ids = new Set<unknown>(messages.map(({ id }) => id));
  const stringify = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  const written = () => stringify.mock.calls.filter(([value]) => ids.has(value?.id)).length;
  expect((await deliver(service, payload, 'of somebody else')).status).toBe(401);
  expect(written()).toBe(0);
  const { release } = await holdMessages(service, own, 'm0');
  const answer = deliver(service, payload, own.app_secret);
  await lockWaits(service.database, 1);
  const writtenOfTheFirst = written();
  await release();
  expect((await answer).status).toBe(200);
  expect(writtenOfTheFirst).toBeLessThan(1000);
  expect(written()).toBe(2000);
  expect(await storedIds(own)).toEqual(messages.map(({ id }) => id));
});

describe('deliveries that come together', () => {
  it('are answered once they are committed', async () => {
    const own = await newEndpoint();
    const { release } = await holdMessages(service, own, 'held');
    let answered = 0;
    // Three senders, because a second group of the same conversation would wait for the first.
    const answers = ['held', 'a', 'b'].map((id) => send(own, id, `from ${id}`).finally(() => answered++));
    await lockWaits(service.database, 1);
    await vi.waitFor(
      async () => {
        // Deliveries that do not wait were in the other group, and are answered.
        expect((await storedMessages(service, own)).length).toBe(answered);
      },
      { timeout: 60_000 },
    );
    const before = answered;
    expect(before).toBeLessThan(3);
    await release();
    expect(await statuses(answers)).toEqual([200, 200, 200]);
    expect(await storedMessages(service, own)).toHaveLength(3);
  });

  it('are one transaction, with a job for each conversation', async () => {
    const [busy, own, other] = await Promise.all([newEndpoint(), newEndpoint(), newEndpoint()]);
    const { release, answers } = await occupy(service, busy);
    const together = await queued(service, () => [
      ...['a', 'b'].map((id) => send(own, id)),
      send(own, 'c', 'somebody else'),
      send(other, 'd'),
    ]);
    let answered = false;
    void Promise.race(together).then(() => (answered = true));
    expect(await storedMessages(service, own)).toEqual([]);
    expect(answered).toBe(false);
    await release();
    expect(await statuses([...answers, ...together])).toEqual([200, 200, 200, 200, 200, 200]);
    const rows = [...(await storedMessages(service, own)), ...(await storedMessages(service, other))];
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ stored_by }) => stored_by)).size).toBe(1);
    expect(await conversationsOf(service, own)).toEqual(['4915112345678', 'somebody else']);
    expect(await conversationsOf(service, other)).toEqual(['4915112345678']);
    const jobs = await service.database.query(
      `select distinct xmin::text as stored_by from jobs where lane in ($1, $2)`,
      [own.instance.id, other.instance.id],
    );
    expect(jobs).toEqual([{ stored_by: rows[0]?.stored_by }]);
  });

  it('fail only by their own faults', async () => {
    const [busy, own, gone] = await Promise.all([newEndpoint(), newEndpoint(), newEndpoint()]);
    await send(gone, 'before');
    const { release, answers } = await occupy(service, busy);
    const together = await queued(service, () => [
      ...['a', 'b', 'c', 'd', 'refused'].map((id) => send(own, id)),
      send(gone, 'late'),
    ]);
    expect((await tenant.api.request('DELETE', `/v1/channel-endpoints/${gone.id}`)).status).toBe(204);
    await release();
    expect(await statuses([...answers, ...together])).toEqual([200, 200, 200, 200, 200, 200, 500, 401]);
    const ids = await storedIds(own);
    expect(ids.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(await conversationsOf(service, own)).toHaveLength(1);
  });

  it('are stored although another endpoint is deleted meanwhile', async () => {
    const [busy, own, gone] = await Promise.all([newEndpoint(), newEndpoint(), newEndpoint()]);
    const { release, answers } = await occupy(service, busy);
    const together = await queued(service, () => [send(own, 'a'), send(gone, 'late'), send(own, 'b')]);
    const deletion = await openTransaction(service.database.url, [
      'delete from channel_endpoints where id = $1',
      [gone.id],
    ]);
    await release();
    await lockWaits(service.database, 1);
    await deletion.end('commit');
    expect(await statuses([...answers, ...together])).toEqual([200, 200, 200, 401, 200]);
    expect(await storedMessages(service, own)).toHaveLength(2);
  });

  it('are verified again when the endpoint of the only one is deleted meanwhile', async () => {
    const gone = await newEndpoint();
    const deletion = await openTransaction(service.database.url, [
      'delete from channel_endpoints where id = $1',
      [gone.id],
    ]);
    const late = send(gone, 'late');
    await lockWaits(service.database, 1);
    await deletion.end('commit');
    expect((await late).status).toBe(401);
  });

  it('store a repeated message once', async () => {
    const [busy, own] = await Promise.all([newEndpoint(), newEndpoint()]);
    const { release, answers } = await occupy(service, busy);
    const duplicates = await messagesCountedBy(service, 'duplicate', async () => {
      const together = await queued(service, () => Array.from({ length: 5 }, () => send(own, 'again')));
      await release();
      expect(new Set(await statuses([...answers, ...together]))).toEqual(new Set([200]));
    });
    expect(await storedMessages(service, own)).toHaveLength(1);
    expect(await conversationsOf(service, own)).toHaveLength(1);
    expect(duplicates).toBe(4);
  });

  it('keep the order in which they were answered', async () => {
    const [one, other] = await Promise.all([newEndpoint(), newEndpoint()]);
    const senders = Array.from({ length: 12 }, (_, index) => String(4_900_000 + index));
    await Promise.all(
      senders.map(async (from, index) => {
        for (let count = 0; count < 10; count++) {
          const id = `${from}-${count}`;
          // Send every third message twice at once.
          const copies = Array.from({ length: count % 3 === 0 ? 2 : 1 }, () =>
            send(index % 2 === 0 ? one : other, id, from),
          );
          expect(new Set(await statuses(copies))).toEqual(new Set([200]));
        }
      }),
    );
    const rows = [...(await storedMessages(service, one)), ...(await storedMessages(service, other))];
    for (const from of senders) {
      const ids = rows.filter(({ external_id }) => external_id === from).map(({ message_id }) => message_id);
      expect(ids).toEqual(Array.from({ length: 10 }, (_, count) => `${from}-${count}`));
    }
  });

  it('are answered although the service stops meanwhile', async () => {
    const stopping = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
    const theirs = await stopping.createTenant();
    const [busy, own] = await Promise.all([newEndpoint(stopping, theirs), newEndpoint(stopping, theirs)]);
    const { release, answers } = await occupy(stopping, busy);
    const together = await queued(stopping, () => ['a', 'b'].map((id) => send(own, id, undefined, stopping)));
    const stopped = stopping.service.stop();
    await vi.waitFor(
      async () => expect(await stopping.anonymous.get('/healthz').catch(() => 'refused')).toBe('refused'),
      { timeout: 60_000 },
    );
    await release();
    expect(await statuses([...answers, ...together])).toEqual([200, 200, 200, 200]);
    await stopped;
    expect(await storedMessages(stopping, own)).toHaveLength(2);
    await stopping.database.drop();
  });
});

describe('a delivery of thousands of messages', () => {
  const COUNT = 2000;
  /** How many empty messages fit into a group (channels/inbox.ts). */
  const MOST_TOGETHER = 512;
  const ids = Array.from({ length: COUNT }, (_, index) => `wamid.${index}`);

  /** Resolves when the piece with a blocked message waits. Forwarding blocks earlier pieces for a moment too. */
  const pieceWaits = (endpoint: TestEndpoint, held: number) =>
    vi.waitFor(
      async () => {
        const stored = await storedMessages(service, endpoint);
        expect(stored.length).toBeGreaterThan(held - MOST_TOGETHER);
        const waiting = await service.database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%incoming as materialized%' and pid <> pg_backend_pid()`,
        );
        expect(waiting).toHaveLength(1);
      },
      { timeout: 60_000, interval: 20 },
    );

  it('is committed in pieces, in order, and answered after the last', async () => {
    const [own, other] = await Promise.all([newEndpoint(), newEndpoint()]);
    const { release } = await holdMessages(service, own, ids.at(-1) ?? '');
    let isAnswered = false;
    const answer = sendAll(own, ids).finally(() => (isAnswered = true));
    await pieceWaits(own, COUNT - 1);
    expect((await send(other, 'meanwhile')).status).toBe(200);
    expect(isAnswered).toBe(false);
    await release();
    expect((await answer).status).toBe(200);
    expect(await storedIds(own)).toEqual(ids);
    const pieces = new Map<string, number>();
    for (const { stored_by } of await storedMessages(service, own)) {
      pieces.set(stored_by, (pieces.get(stored_by) ?? 0) + 1);
    }
    expect(Math.max(...pieces.values())).toBeLessThanOrEqual(MOST_TOGETHER);
  });

  it('that fails halfway is an error, and is stored once when it is repeated', async () => {
    const own = await newEndpoint();
    expect((await sendAll(own, [...ids, 'refused'])).status).toBe(500);
    const halfway = await storedIds(own);
    expect(halfway).toEqual(ids.slice(0, halfway.length));
    expect(halfway.length).toBeGreaterThan(0);
    expect((await sendAll(own, ids)).status).toBe(200);
    expect(await storedIds(own)).toEqual(ids);
  });

  it('for an endpoint that changes halfway is verified again', async () => {
    const own = await newEndpoint();
    const { release } = await holdMessages(service, own, ids[1000] ?? '');
    const answer = sendAll(own, ids);
    await pieceWaits(own, 1000);
    await replaceSecret(own, 'the next secret');
    await release();
    expect((await answer).status).toBe(401);
    const { length } = await storedIds(own);
    expect(length).toBeGreaterThan(1000);
    expect(length).toBeLessThan(COUNT);
  });
});

describe('a cached secret', () => {
  it('is not opened for each message', async () => {
    const own = await newEndpoint();
    const opening = vi.spyOn(service.service.services.keyring, 'open');
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      for (let count = 0; count < 10; count++) await send(own, randomUUID());
      expect(opening.mock.calls.length).toBeLessThan(4);
    } finally {
      opening.mockRestore();
      clock.mockRestore();
    }
  });

  it('stores no message once it is replaced, but the new one does', async () => {
    const own = await newEndpoint();
    await send(own, 'before');
    await replaceSecret(own, 'the next secret');
    expect((await send(own, 'old')).status).toBe(401);
    expect((await send({ ...own, app_secret: 'the next secret' }, 'new')).status).toBe(200);
    expect(await storedIds(own)).toEqual(['before', 'new']);
  });

  it('expires within two seconds', async () => {
    const own = await newEndpoint();
    expect((await sendStatus(own)).status).toBe(200);
    await replaceSecret(own, 'the next secret');
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2000);
    const { status } = await sendStatus(own).finally(() => clock.mockRestore());
    expect(status).toBe(401);
  });

  it('accepts no forged message', async () => {
    const own = await newEndpoint();
    await send(own, 'before');
    expect((await send({ ...own, app_secret: 'a guess' }, 'forged')).status).toBe(401);
    expect(await storedMessages(service, own)).toHaveLength(1);
  });

  it('of one number does not verify another number of the payload', async () => {
    const [own, other] = await Promise.all([newEndpoint(), newEndpoint()]);
    const sendBoth = async (id: string) => {
      const changes = [own, other].map((to) => changeFor(to.phone_number_id, textMessage(id, 'Hello')));
      expect((await deliver(service, payloadOf(...changes), own.app_secret)).status).toBe(200);
    };
    for (const to of [own, other]) await send(to, 'before');
    await sendBoth('forged');
    await replaceSecret(other, own.app_secret);
    await sendBoth('shared');
    await replaceSecret(other, 'the next secret');
    await sendBoth('apart');
    expect([await storedIds(own), await storedIds(other)]).toEqual([
      ['before', 'forged', 'shared', 'apart'],
      ['before', 'shared'],
    ]);
  });

  it('of one number skips no message for another number of the payload', async () => {
    const [own, other] = await Promise.all([newEndpoint(), newEndpoint()]);
    await replaceSecret(other, own.app_secret);
    await send(own, 'before');
    const changes = [own, other].map((to) => changeFor(to.phone_number_id, textMessage('both', 'Hello')));
    expect((await deliver(service, payloadOf(...changes), own.app_secret)).status).toBe(200);
    expect([await storedIds(own), await storedIds(other)]).toEqual([['before', 'both'], ['both']]);
  });
});
