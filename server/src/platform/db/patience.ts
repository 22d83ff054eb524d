import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ports.ts';
import { passes } from './passing.ts';
import { type DatabaseState, stateFor } from './readiness.ts';
import { urlsOf } from './servers.ts';

const FIRST_PAUSE_MS = 100;
/** A database that is back has the service ready within seconds. */
const LONGEST_PAUSE_MS = 1500;
const SAY_EVERY_MS = 60_000;

/** Does the steps of a start that need the database, as often as it takes, and tells the log what it waits for. */
export class Patience {
  readonly #hosts: string;
  readonly #log: Log;
  readonly #sayEveryMs: number;
  /** As the last step found it. */
  database: DatabaseState = 'unreachable';

  constructor(database_url: string, log: Log, sayEveryMs = SAY_EVERY_MS) {
    this.#hosts = hostsOf(database_url);
    this.#log = log;
    this.#sayEveryMs = sayEveryMs;
  }

  /** @param step may be repeated. Rejects with a failure that does not pass. */
  async until<T>(step: () => Promise<T>): Promise<T> {
    const waiting = new Waiting(this.#hosts, this.#log, this.#sayEveryMs);
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        try {
          const result = await step();
          this.database = 'ok';
          waiting.isOver();
          return result;
        } catch (error) {
          if (!passes(error)) throw error;
          this.database = stateFor(error);
          waiting.note(error as Error);
        }
        await sleep(pauseMs);
      }
    } finally {
      waiting.end();
    }
  }
}

/** One line at once, one for as long as it lasts each minute, and one when it is over. */
class Waiting {
  readonly #began = performance.now();
  readonly #hosts: string;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #reason: string | undefined;

  constructor(hosts: string, log: Log, sayEveryMs: number) {
    this.#hosts = hosts;
    this.#log = log;
    // Also while a single try takes long, as behind another copy that migrates.
    this.#timer = setInterval(() => this.#say(), sayEveryMs).unref();
  }

  note({ message }: Error): void {
    const isFirst = this.#reason === undefined;
    this.#reason = message;
    if (isFirst) this.#say();
  }

  isOver(): void {
    if (this.#reason !== undefined) this.#log.info(this.#fields, 'the start goes on: the database is there');
  }

  end(): void {
    clearInterval(this.#timer);
  }

  get #fields() {
    const seconds = Math.round((performance.now() - this.#began) / 1000);
    return { database: this.#hosts, seconds, reason: this.#reason ?? 'it has not answered yet' };
  }

  #say(): void {
    this.#log.warn(this.#fields, 'the start waits for the database');
  }
}

/** `host:port`, of each host that the URL names; a directory for a Unix socket. */
function hostsOf(database_url: string): string {
  return urlsOf(database_url)
    .map((text) => {
      const url = new URL(text.replace('@/', '@localhost/'));
      return url.searchParams.get('host') ?? `${url.hostname || 'localhost'}:${url.port || '5432'}`;
    })
    .join(',');
}
