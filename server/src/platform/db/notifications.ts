import { EventEmitter } from 'node:events';
import pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { KEPT_ALIVE } from './timeouts.ts';

const RECONNECT_MS = 1000;

/** Called once per outage, however many attempts to reconnect fail in between. */
interface Outage {
  lost(error: Error): void;
  back(): void;
}

/**
 * LISTEN on a connection of its own. A notification is a hint: one may be lost while the connection is reopened, so
 * followers also poll.
 */
export class Notifications {
  readonly #url: string;
  readonly #channels: readonly string[];
  readonly #on: Outage;
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isAway = false;
  #closed = false;

  constructor(url: string, channels: readonly string[], on: Outage) {
    this.#url = url;
    this.#channels = channels;
    this.#on = on;
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      ...connectionOptions(this.#url, ['role=acp_service']),
      application_name: 'agent-control-plane notifications',
      ...KEPT_ALIVE,
    });
    client.on('notification', ({ channel, payload }) => this.#emitter.emit(channel, payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('The notification connection ended')));
    this.#client = client;
    try {
      await client.connect();
      for (const channel of this.#channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      // A standby accepts the connection and refuses LISTEN; each attempt would leave one open.
      client.end().catch(() => {});
      throw error;
    }
    if (this.#isAway) this.#on.back();
    this.#isAway = false;
  }

  /** @returns unsubscribe */
  subscribe(channel: string, listener: (payload: string) => void): () => void {
    this.#emitter.on(channel, listener);
    return () => this.#emitter.off(channel, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end();
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    if (!this.#isAway) this.#on.lost(error);
    this.#isAway = true;
    this.#retry = setTimeout(() => {
      this.start().catch((again: Error) => {
        if (this.#client) this.#lost(this.#client, again);
      });
    }, RECONNECT_MS);
  }
}
