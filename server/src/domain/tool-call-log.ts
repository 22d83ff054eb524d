import { LRUCache } from 'lru-cache';
import { type Database, type Queryable, tenantScope } from '../db/database.ts';
import { appendToolCalls, type ChainEnd, lockChainEnd, type NewToolCall } from '../db/tool-calls.ts';
import { Groups } from './groups.ts';
import type { Keyring } from './keyring.ts';
import type { Log } from './ports.ts';
import { BEGINNING, ToolCallChain } from './tool-call-chain.ts';

const TENANTS_KEPT = 1000;
const MAX_ROWS_AT_ONCE = 500;

/** One tenant's chain as this process knows it. */
interface Lane {
  chain: ToolCallChain;
  /** Where this process saw the chain end. */
  end: Pick<ChainEnd, 'count' | 'hash'>;
  broken: boolean;
  calls: Groups<NewToolCall, void>;
}

/**
 * Writes down the calls of tools. A caller waits until its row is committed, so none that was answered is ever
 * missing; what arrives while a tenant's chain is being written goes into its next statement, all together.
 */
export class ToolCallLog {
  readonly #db: Database;
  readonly #keyring: Keyring;
  readonly #log: Log;
  readonly #lanes = new LRUCache<string, Lane>({ max: TENANTS_KEPT });

  constructor(db: Database, keyring: Keyring, log: Log) {
    this.#db = db;
    this.#keyring = keyring;
    this.#log = log;
  }

  /** A keyed hash in hex to recognise equal arguments of a tool by; null where there can be none. */
  fingerprint(tenant_id: string, tool: string, args: unknown): string | null {
    return this.#lane(tenant_id).chain.fingerprint(tool, args);
  }

  /** Resolves when the row is committed; rejects with the database's error. */
  append(tenant_id: string, call: NewToolCall): Promise<void> {
    return this.#lane(tenant_id).calls.add(call);
  }

  #lane(tenant_id: string): Lane {
    return this.#lanes.get(tenant_id) ?? this.#newLane(tenant_id);
  }

  #newLane(tenant_id: string): Lane {
    const write = async (calls: readonly NewToolCall[]): Promise<void[]> => {
      const added = await this.#extend(this.#db.tenant(tenant_id), lane, calls);
      if (!added) await this.#extendLocked(tenant_id, lane, calls);
      return [];
    };
    const lane: Lane = {
      chain: new ToolCallChain(this.#keyring, tenant_id),
      end: BEGINNING,
      broken: false,
      // One at a time: each row is chained to the one before.
      calls: new Groups(write, { atOnce: 1, maxWeight: MAX_ROWS_AT_ONCE }),
    };
    this.#lanes.set(tenant_id, lane);
    return lane;
  }

  /** In one round trip, on the guess that nobody else has written since. @returns false when somebody has */
  async #extend(q: Queryable, lane: Lane, calls: readonly NewToolCall[]): Promise<boolean> {
    const { rows, end } = lane.chain.extend(lane.end, lane.broken, calls);
    const added = await appendToolCalls(q, rows, lane.end, end);
    if (added) lane.end = end;
    return added;
  }

  /** Another copy of the service writes to the chain, too: it is held while its end is read and moved. */
  async #extendLocked(tenant_id: string, lane: Lane, calls: readonly NewToolCall[]): Promise<void> {
    const known = lane.end;
    try {
      await this.#db.transaction(tenantScope(tenant_id), async (tx) => {
        const end = await lockChainEnd(tx);
        lane.broken = !end || !lane.chain.isSealed(end) || end.count < known.count;
        if (lane.broken) this.#log.error({ tenant_id }, 'the record of tool calls was changed from outside');
        lane.end = end ?? BEGINNING;
        if (!(await this.#extend(tx, lane, calls))) throw new Error('The chain moved although it was held');
      });
    } catch (error) {
      // What was rolled back is not where the chain ends.
      lane.end = known;
      throw error;
    }
  }
}
