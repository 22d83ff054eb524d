import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { Again } from '../platform/queue/jobs.db.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import { signalAfter } from '../platform/signal-after.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { Unreadable } from '../secrets/unreadable.ts';
import {
  type DueDelivery,
  failWaiting,
  findRest,
  listDueDeliveries,
  noteDelivered,
  noteRefused,
} from './event-deliveries.db.ts';
import { findReceiver, noteNotTaken, noteTaken, type Receiver } from './event-endpoints.db.ts';
import { signingContext, urlContext } from './event-endpoints.ts';
import { eventMessage } from './event-message.ts';
import type { EventMetrics } from './event-metrics.ts';
import type { EventAnswer, EventSender } from './event-sender.port.ts';

export interface EventPace {
  /** Between the beginnings of two calls of an endpoint. */
  spacingMs: number;
  answerWithinMs: number;
  /** After the first try that was not taken; doubled after each. */
  firstPauseMs: number;
  mostPauseMs: number;
  /** Then others get a turn. */
  turnMs: number;
}

/** Contract, section 23. */
export const EVENT_PACE: EventPace = {
  spacingMs: 100,
  answerWithinMs: 15_000,
  firstPauseMs: 2000,
  mostPauseMs: 15 * 60_000,
  turnMs: 60_000,
};

const AT_ONCE = 4;
/** While calls are under way, new deliveries are looked for. */
const LOOK_EVERY_MS = 500;
const GONE = 410;

export interface SendEventsServices {
  keyring: Pick<Keyring, 'open'>;
  eventSender: EventSender;
  eventPace: EventPace;
  eventMetrics: EventMetrics;
  seldomLog: SeldomLog;
  settings: { public_url: () => string };
}

/**
 * The job of an endpoint: sends what is due, in order where there is one. One run at a time, so the limits of an endpoint hold
 * over all copies of the service.
 * @param signal aborts calls @param draining no call begins any more
 * @returns when to run again; undefined when nothing waits
 */
export async function sendEvents(
  services: SendEventsServices,
  q: TenantDb,
  endpoint_id: string,
  signal: AbortSignal,
  draining: AbortSignal,
): Promise<Again | undefined> {
  const run = new SendingRun(services, q, endpoint_id, signal);
  const turnEnds = performance.now() + services.eventPace.turnMs;
  try {
    while (!signal.aborted && !draining.aborted && performance.now() < turnEnds) {
      const again = await run.sendDue();
      if (again !== 'more') return again;
    }
    return 'now';
  } finally {
    await run.ended();
  }
}

class SendingRun {
  readonly #services: SendEventsServices;
  readonly #q: TenantDb;
  readonly #endpoint_id: string;
  readonly #signal: AbortSignal;
  readonly #calls = new Map<string, Promise<void>>();
  /** The next call begins no earlier. */
  #nextCallAt = 0;
  #failure: unknown;

  constructor(services: SendEventsServices, q: TenantDb, endpoint_id: string, signal: AbortSignal) {
    this.#services = services;
    this.#q = q;
    this.#endpoint_id = endpoint_id;
    this.#signal = signal;
  }

  /** Begins the calls that there is room for. @returns `more` to go on at once */
  async sendDue(): Promise<Again | undefined | 'more'> {
    const id = this.#endpoint_id;
    const room = AT_ONCE - this.#calls.size;
    const { receiver, due, rest } = await this.#q.run({
      receiver: findReceiver(id),
      due: listDueDeliveries(id, [...this.#calls.keys()], room),
      rest: findRest(id),
    });
    if (!receiver) return undefined;
    if (!receiver.is_active) {
      this.#services.eventMetrics.deliveries.count('switched_off', await this.#q.run(failWaiting(id)));
      return undefined;
    }
    const ready = receiver.paused_until === null ? due : [];
    for (const delivery of ready) await this.#begin(receiver, delivery);
    if (this.#calls.size > 0) {
      await this.#callEnds();
      return 'more';
    }
    if (!rest.is_waiting) return undefined;
    return receiver.paused_until ?? rest.next_at ?? 'now';
  }

  /** Waits for the calls, and until another run may begin one. Rejects if the outcome of a call was not stored. */
  async ended(): Promise<void> {
    await Promise.all(this.#calls.values());
    await this.#turn();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #turn(): Promise<void> {
    const waitMs = this.#nextCallAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  }

  async #begin(receiver: Receiver, delivery: DueDelivery): Promise<void> {
    await this.#turn();
    if (this.#signal.aborted) return;
    this.#nextCallAt = performance.now() + this.#services.eventPace.spacingMs;
    const call = this.#send(receiver, delivery)
      .catch((error: unknown) => {
        // An aborted call was not made: the next run makes it.
        if (!this.#signal.aborted) this.#failure = error;
      })
      .finally(() => this.#calls.delete(delivery.id));
    this.#calls.set(delivery.id, call);
  }

  /** One of them; with room for more, or after a while. */
  async #callEnds(): Promise<void> {
    const look = new AbortController();
    const looked = sleep(LOOK_EVERY_MS, undefined, { signal: look.signal }).catch(() => {});
    await Promise.race([...this.#calls.values(), looked]);
    look.abort();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #send(receiver: Receiver, delivery: DueDelivery): Promise<void> {
    const answer = await this.#answerOf(receiver, delivery);
    if ('status' in answer && answer.status >= 200 && answer.status < 300) {
      await this.#q.run(noteDelivered(delivery.id, answer.status), noteTaken(receiver.id));
      this.#services.eventMetrics.deliveries.count('delivered');
    } else await this.#notTaken(receiver, delivery, answer);
  }

  async #answerOf(receiver: Receiver, { event }: DueDelivery): Promise<EventAnswer | Unanswered> {
    const { keyring, eventSender, eventPace, settings } = this.#services;
    const { id, sealed_url, sealed_secret, sealed_former_secret, format } = receiver;
    const timeout = signalAfter(eventPace.answerWithinMs);
    try {
      const sealed = [sealed_secret, sealed_former_secret].filter((one) => one !== null);
      const secrets = await Promise.all(sealed.map((one) => keyring.open(this.#q, one, signingContext(id))));
      const url = await keyring.open(this.#q, sealed_url, urlContext(id));
      const writing = { secrets, public_url: settings.public_url(), now: this.#q.now };
      const request = { url, ...eventMessage(format, event, writing) };
      return await eventSender.send(request, AbortSignal.any([this.#signal, timeout]));
    } catch (error) {
      if (error instanceof Unreadable) return { error: 'unreadable' };
      if (timeout.aborted && !this.#signal.aborted) return { error: 'timeout' };
      throw error;
    }
  }

  async #notTaken({ id }: Receiver, delivery: DueDelivery, answer: EventAnswer | Unanswered): Promise<void> {
    const last_status = 'status' in answer ? answer.status : null;
    const last_error = 'status' in answer ? String(answer.status) : answer.error;
    const retry_after_ms = 'status' in answer ? answer.retry_after_ms : undefined;
    const next = this.#nextTry(delivery, retry_after_ms);
    const next_attempt_at = next < delivery.give_up_at ? next : null;
    const paused_until = retry_after_ms === undefined ? null : earlier(next, delivery.give_up_at);
    await this.#q.run(
      noteRefused(delivery.id, { last_status, last_error, next_attempt_at }),
      noteNotTaken(id, { last_error, paused_until, is_gone: last_status === GONE }),
    );
    this.#services.eventMetrics.deliveries.count(next_attempt_at === null ? 'failed' : 'retried');
    const { tenant_id } = this.#q;
    this.#services.seldomLog.warn(
      `events:${id}`,
      { tenant_id, event_endpoint_id: id, reason: last_error },
      'a receiver did not take an event',
    );
  }

  #nextTry({ attempts }: DueDelivery, retry_after_ms = 0): Date {
    const { firstPauseMs, mostPauseMs } = this.#services.eventPace;
    const pauseMs = Math.min(mostPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20));
    return new Date(this.#q.now.getTime() + Math.max(pauseMs, retry_after_ms));
  }
}

interface Unanswered {
  error: 'timeout' | 'unreadable';
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
