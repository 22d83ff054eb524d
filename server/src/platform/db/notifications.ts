import { EventEmitter } from 'node:events';
import pg from 'pg';
import { type ConnectionOptions, connectionOptions } from './connection-options.ts';
import { connectInTurn, KEPT_ALIVE, Servers, WatchedClient } from './servers.ts';
import { orUnreachable } from './unreachable.ts';

const RECONNECT_MS = 1000;
/** A silent server must not be waited for forever. */
const ANSWER_WITHIN_MS = 10_000;
/** Sessions are renewed, so that they follow a change of servers. */
const LISTENS_FOR_MS = 30 * 60_000;

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
  readonly #servers: Servers;
  readonly #options: ConnectionOptions;
  readonly #channels: readonly string[];
  readonly #on: Outage;
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #age: NodeJS.Timeout | undefined;
  #starting: Promise<void> | undefined;
  #isAway = false;
  #closed = false;

  constructor(url: string, channels: readonly string[], on: Outage) {
    this.#options = connectionOptions(url, ['role=acp_service']);
    this.#servers = new Servers(this.#options.connectionString);
    this.#channels = channels;
    this.#on = on;
  }

  /** Listens on a new connection. Concurrent calls share one attempt. */
  start(): Promise<void> {
    this.#starting ??= this.#listen()
      .catch((error: unknown) => {
        throw orUnreachable(error);
      })
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

  async #listen(): Promise<void> {
    const former = this.#client;
    const client = await connectInTurn(this.#servers, (url) => this.#watch(url));
    this.#client = client;
    try {
      for (const channel of this.#channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      // A standby accepts the connection and refuses LISTEN; each attempt would leave one open.
      for (const open of [client, former]) open?.end().catch(() => {});
      throw error;
    }
    if (this.#isAway) this.#on.back();
    this.#isAway = false;
    clearTimeout(this.#age);
    this.#age = setTimeout(() => this.renew(), LISTENS_FOR_MS).unref();
    // Close the old connection only now, so that no notification is missed.
    await former?.end().catch(() => {});
    if (this.#closed) await client.end();
  }

  /** Replaces the connection. */
  renew(): void {
    const former = this.#client;
    if (this.#closed || !former) return;
    this.start().catch((error: Error) => {
      former.end().catch(() => {});
      this.#lost(former, error);
    });
  }

  /** @returns unsubscribe */
  subscribe(channel: string, listener: (payload: string) => void): () => void {
    this.#emitter.on(channel, listener);
    return () => this.#emitter.off(channel, listener);
  }

  /**
   * Resolves once every notification of what was committed before has been handed on: the server sends them before it
   * answers. @returns the session, which is another one after an outage; undefined during one
   */
  async caughtUp(): Promise<object | undefined> {
    const client = this.#client;
    return client?.query('select').then(
      () => client,
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#age);
    await this.#client?.end();
  }

  #watch(url: string): WatchedClient {
    const client = new WatchedClient({
      ...this.#options,
      connectionString: url,
      application_name: 'agent-control-plane notifications',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      ...KEPT_ALIVE,
    });
    client.on('notification', ({ channel, payload }) => this.#emitter.emit(channel, payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('The notification connection ended')));
    return client;
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    if (!this.#isAway) this.#on.lost(error);
    this.#isAway = true;
    this.#again();
  }

  #again(): void {
    this.#retry = setTimeout(() => {
      // A replaced client handles its own end.
      this.start().catch(() => {
        if (!this.#client && !this.#closed) this.#again();
      });
    }, RECONNECT_MS);
  }
}
