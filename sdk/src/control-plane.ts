import type { CallOptions, Input, Item, OperationId, PagedId, Result } from './caller.ts';
import { type AnyInput, Connection, type ConnectionOptions } from './connection.ts';
import { NotReadyError } from './errors.ts';
import { operations } from './generated/operations.ts';
import { Resources } from './generated/resources.ts';
import type { DeployRequest, DeployResult } from './generated/shapes.ts';
import { withIdempotencyKey } from './idempotency-key.ts';
import { LiveInstances } from './live-instances.ts';
import type { OperationFacts } from './operation-facts.ts';
import { withRetries } from './retries.ts';

/** The AI assist may take half a minute. */
const TIMEOUT_MS = 60_000;
const RETRIES = 3;

/** What HTTP says may be sent twice (RFC 9110, section 9.2.2). */
const REPEATABLE = ['GET', 'PUT', 'DELETE'];

export interface ControlPlaneOptions extends ConnectionOptions {
  /** How long one attempt of a call may take; a minute unless told. */
  readonly timeoutMs?: number | undefined;
  /** How often a refused or lost attempt is made again; 3 unless told. */
  readonly retries?: number | undefined;
}

/** What a deploy answers that was accepted, now or before with the same key. */
export type Deployed = DeployResult & { instance_id: string; task_id: string };

/** A page of a list; the operation's facts say which field holds the rows. */
type Page<Row> = { per_page: number; total: number } & Record<Rows, readonly Row[]>;
type Rows = (typeof operations)[PagedId]['items'];

/** A client of one server. Each group of operations is a property: `acp.recipes.create({ name: 'Front desk' })`. */
export class ControlPlane extends Resources {
  override readonly instances: LiveInstances;
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor({ timeoutMs = TIMEOUT_MS, retries = RETRIES, ...connection }: ControlPlaneOptions) {
    super();
    this.#connection = new Connection(connection);
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
    this.instances = new LiveInstances(this, this.#connection);
  }

  /**
   * Calls an operation by its operationId. Throws ApiError when the server refuses, ConnectionError when no answer
   * comes. Refusals for now, and lost answers of what may be repeated, are tried again first (see withRetries); a
   * DELETE whose first answer was lost may then be told 404.
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
    const repeatable = keyed === true || REPEATABLE.includes(method);
    const attempt = () => this.#connection.exchange(id, sent, timeoutMs, signal);
    return (await withRetries(attempt, { retries, repeatable, signal })) as Result<Id>;
  }

  /**
   * Every row of a list that pages, page after page. One that is added meanwhile may shift another to be met twice; one
   * that is taken away may shift another past it, so gather the rows first where each is to be deleted.
   */
  async *each<Id extends PagedId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): AsyncGenerator<Item<Id>, void> {
    const { items, most_per_page } = operations[id];
    const { query, ...rest } = input as AnyInput;
    for (let page = Number(query?.page ?? 1); ; page++) {
      const window = { ...rest, query: { per_page: most_per_page, ...query, page } };
      const answer: unknown = await this.call(id, window as unknown as Input<Id>, options);
      const { per_page, total, [items]: rows } = answer as Page<Item<Id>>;
      yield* rows;
      if (rows.length === 0 || page * per_page >= total) return;
    }
  }

  /**
   * Deploys a recipe for a customer, exactly once for each idempotency key; a random one unless told, the same for all
   * attempts of this call. Throws NotReadyError when connections are missing: nothing is deployed then.
   */
  async deploy(request: DeployRequest, options?: CallOptions): Promise<Deployed> {
    const deployed = await this.call('deploy_recipe', { body: request }, options);
    const { instance_id, task_id, missing_connections } = deployed;
    if (instance_id === null || task_id === null) throw new NotReadyError(request, missing_connections);
    return { ...deployed, instance_id, task_id };
  }
}
