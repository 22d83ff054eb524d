import { tryAgain } from '../errors.ts';
import { FairSemaphore } from '../load/semaphore.ts';
import { Session, type SessionOptions } from './session.ts';
import type { Row, Statement } from './sql.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/** Default timeout for each semaphore and for a connection. */
const WAITS_FOR_MS = 5000;
/** Largest share of the connections for one tenant. */
const OF_TENANT = 0.6;
/** For one tenant's calls of one statement, or its transactions. */
const OF_KIND = 0.3;
/** For all transactions. Their work may need another connection for a statement, so they never hold all. */
const OF_TRANSACTIONS = 0.6;
/** Delay before a server that refused a connection is asked again. */
const ASK_AGAIN_AFTER_MS = 1000;

const busy = () => tryAgain('The database is busy');

/** Determines the shares that a use counts for. */
export interface Use {
  /** Empty for the service itself, which is limited by kind only. */
  tenant_id: string;
  /** Calls of one kind wait for the same tables. undefined: a transaction. */
  kind: string | undefined;
}

/** Statements of one caller, all or none. */
export interface Call extends Use {
  kind: string;
  statements: readonly Statement[];
}

interface Waiter {
  go: (session: Session) => void;
  refuse: (error: Error) => void;
}

/**
 * Connections, opened on demand; each serves one caller at a time. A tenant has a limited share of them, and one kind of
 * its calls a smaller one, so that calls waiting for a lock leave the rest to others (0028-bulkheads.md). Callers above
 * their share wait, and get a 503 after a timeout.
 */
export class Pool {
  readonly #options: SessionOptions;
  readonly #max: number;
  readonly #waitMs: number;
  readonly #kinds: FairSemaphore;
  readonly #transactions: FairSemaphore;
  readonly #tenants: FairSemaphore;
  readonly #sessions = new Set<Session>();
  /** A stack, so that surplus connections stay idle and close. */
  readonly #idle: Session[] = [];
  readonly #waiting: Waiter[] = [];
  #opening = 0;
  #noMoreUntil = 0;
  #isClosed = false;

  constructor(max: number, options: SessionOptions, waitMs = WAITS_FOR_MS) {
    this.#options = options;
    this.#max = max;
    this.#waitMs = waitMs;
    const part = (share: number) => Math.ceil(max * share);
    const limit = { waitMs, refusal: busy };
    this.#kinds = new FairSemaphore({ ofOne: part(OF_KIND), ofAll: Infinity }, limit);
    this.#transactions = new FairSemaphore({ ofOne: part(OF_KIND), ofAll: part(OF_TRANSACTIONS) }, limit);
    this.#tenants = new FairSemaphore({ ofOne: part(OF_TENANT), ofAll: max }, limit);
  }

  /** Open or opening connections, and waiting callers. */
  get load(): { open: number; waiting: number } {
    const lines = [this.#kinds, this.#transactions, this.#tenants];
    const waiting = lines.reduce((sum, { load }) => sum + load.waiting, this.#waiting.length);
    return { open: this.#sessions.size + this.#opening, waiting };
  }

  /** Runs `work` with a connection. Rejects with a 503 after a timeout. */
  async use<T>({ tenant_id, kind }: Use, work: (session: Session) => Promise<T>): Promise<T> {
    const leaveKind = await (kind === undefined
      ? this.#transactions.acquire(tenant_id)
      : this.#kinds.acquire(`${tenant_id}/${kind}`));
    try {
      const share = tenant_id === '' ? this.#max : undefined;
      const leaveTenant = await this.#tenants.acquire(tenant_id, undefined, share);
      try {
        const session = await this.#take();
        try {
          return await work(session);
        } finally {
          this.#giveBack(session);
        }
      } finally {
        leaveTenant();
      }
    } finally {
      leaveKind();
    }
  }

  /** Runs the statements of one call. */
  run(call: Call): Promise<Row[][]> {
    return this.use(call, (session) => session.runAlone(call.statements));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(new Error('The database is closed'));
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  #take(): Session | Promise<Session> {
    if (this.#isClosed) throw new Error('The database is closed');
    const now = performance.now();
    for (let session = this.#idle.pop(); session; session = this.#idle.pop()) {
      if (!session.isOver(now)) return session;
      this.#letGo(session);
    }
    return this.#wait();
  }

  /** Waits for a connection that is opened or returned, whichever is first. */
  #wait(): Promise<Session> {
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(busy());
      }, this.#waitMs).unref();
      const waiter: Waiter = {
        go: (session) => {
          clearTimeout(tooLate);
          resolve(session);
        },
        refuse: (error) => {
          clearTimeout(tooLate);
          reject(error);
        },
      };
      this.#waiting.push(waiter);
      this.#openMore();
    });
  }

  #openMore(): void {
    if (this.#sessions.size > 0 && performance.now() < this.#noMoreUntil) return;
    while (this.#opening < this.#waiting.length) void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening++;
    try {
      const session = await Session.open(this.#options, (over) => this.#letGo(over));
      this.#opening--;
      this.#sessions.add(session);
      this.#giveBack(session);
    } catch (error) {
      this.#opening--;
      this.#noMoreUntil = performance.now() + ASK_AGAIN_AFTER_MS;
      this.#refuse(error as Error);
    }
  }

  /** Waiting callers fail only if no other connection may serve them. While the server answers, opening ones count. */
  #refuse(error: Error): void {
    const others = this.#sessions.size + (error instanceof DatabaseUnreachable ? 0 : this.#opening);
    if (others === 0) for (const { refuse } of this.#waiting.splice(0)) refuse(error);
  }

  #giveBack(session: Session): void {
    if (this.#isClosed || session.isOver(performance.now())) this.#letGo(session);
    else {
      const next = this.#waiting.shift();
      if (next) next.go(session);
      else this.#idle.push(session);
    }
    if (this.#waiting.length > 0) this.#openMore();
  }

  #letGo(session: Session): void {
    if (!this.#sessions.delete(session)) return;
    const index = this.#idle.indexOf(session);
    if (index !== -1) this.#idle.splice(index, 1);
    session.close().catch(this.#options.onError);
  }
}
