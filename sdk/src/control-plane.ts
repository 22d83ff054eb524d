import type { CallOptions, Input, Item, OperationId, PagedId, Result } from './caller.ts';
import { type AnyInput, Connection, type ConnectionOptions } from './connection.ts';
import { NotReadyError } from './errors.ts';
import { operations } from './generated/operations.ts';
import { Resources } from './generated/resources.ts';
import type { DeployRequest, DeployResult } from './generated/shapes.ts';
import { type ChangesOptions, followChanges, type LiveChange } from './live-changes.ts';
import { LiveConversations } from './live-conversations.ts';
import { LiveInstances } from './live-instances.ts';
import type { OperationFacts } from './operation-facts.ts';
import { LONGEST_WAIT_MS, withRetries } from './retries.ts';

/** AI assist may take half a minute. */
const TIMEOUT_MS = 60_000;
const RETRIES = 3;

/** See RFC 9110, section 9.2.2. */
const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

export interface ControlPlaneOptions extends ConnectionOptions {
  /** For one attempt; a minute by default. */
  readonly timeoutMs?: number | undefined;
  /** 3 by default. */
  readonly retries?: number | undefined;
  /** A refusal whose Retry-After is longer is thrown at once; a minute by default. */
  readonly longestWaitMs?: number | undefined;
}

/** A deploy that was accepted, now or earlier with the same key. */
export type Deployed = DeployResult & { instance_id: string; task_id: string };

interface Read {
  per_page: number;
  total: number;
  /** Told by a list whose rows move. */
  next_before?: string | null;
}

interface Place {
  page: number;
  before?: string;
}

/** The operation's facts name the field with the rows. */
type Page<Row> = Read & Record<Rows, readonly Row[]>;
type Rows = (typeof operations)[PagedId]['items'];

/** A client of one server: `acp.recipes.create({ name: 'Front desk' })`. */
export class ControlPlane extends Resources {
  override readonly conversations: LiveConversations;
  override readonly instances: LiveInstances;
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #longestWaitMs: number;

  constructor({
    timeoutMs = TIMEOUT_MS,
    retries = RETRIES,
    longestWaitMs = LONGEST_WAIT_MS,
    ...connection
  }: ControlPlaneOptions) {
    super();
    this.#connection = new Connection(connection);
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
    this.#longestWaitMs = longestWaitMs;
    this.conversations = new LiveConversations(this, this.#connection);
    this.instances = new LiveInstances(this, this.#connection);
  }

  /**
   * Throws ApiError when the server refuses, ConnectionError without a response, both after retries (see
   * withRetries). A retried DELETE may get a 404 when its first response was lost.
   */
  async call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: CallOptions = {},
  ): Promise<Result<Id>> {
    const { signal, timeoutMs = this.#timeoutMs, retries = this.#retries } = options;
    const { method, keyed }: OperationFacts = operations[id];
    const given = input as AnyInput;
    const sent = keyed ? { ...given, body: withIdempotencyKey(given.body) } : given;
    const repeatable = keyed === true || IDEMPOTENT.includes(method);
    const attempt = () => this.#connection.exchange(id, sent, timeoutMs, signal);
    const longestWaitMs = this.#longestWaitMs;
    return (await withRetries(attempt, { retries, repeatable, longestWaitMs, signal })) as Result<Id>;
  }

  /**
   * Reads page by page, behind the last row where the list says how. Otherwise rows added meanwhile may cause duplicates
   * and removed rows gaps, so collect the rows before you delete them.
   */
  async *each<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): AsyncGenerator<Item<Id>, void> {
    const { items, most_per_page } = operations[id];
    const { query, ...rest } = input as AnyInput;
    for (let place: Place | undefined = { page: Number(query?.page ?? 1) }; place; ) {
      const window = { ...rest, query: { per_page: most_per_page, ...query, ...place } };
      const answer: unknown = await this.call(id, window as unknown as Input<Id>, options);
      const { [items]: rows, ...read } = answer as Page<Item<Id>>;
      yield* rows;
      place = placeBehind(place.page, rows.length, read);
    }
  }

  /** See followChanges. */
  changes(options: ChangesOptions = {}): AsyncGenerator<LiveChange, void> {
    return followChanges(this.#connection, options);
  }

  /**
   * Deploys once per idempotency key; the default is a random key for all attempts. Throws NotReadyError when
   * connections are missing.
   */
  async deploy(request: DeployRequest, options?: CallOptions): Promise<Deployed> {
    const deployed = await this.call('deploy_recipe', { body: request }, options);
    const { instance_id, task_id, missing_connections } = deployed;
    if (instance_id === null || task_id === null) throw new NotReadyError(request, missing_connections);
    return { ...deployed, instance_id, task_id };
  }
}

function placeBehind(page: number, rows: number, { per_page, total, next_before }: Read): Place | undefined {
  if (next_before !== undefined) return next_before === null ? undefined : { page: 1, before: next_before };
  return rows === 0 || page * per_page >= total ? undefined : { page: page + 1 };
}

/** One key for all attempts makes them one request. */
function withIdempotencyKey(body: unknown): unknown {
  const fields = body as { idempotency_key?: string | null };
  return { ...fields, idempotency_key: fields.idempotency_key ?? randomKey() };
}

/** 128 bits. Browsers have no randomUUID on pages without TLS. */
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
