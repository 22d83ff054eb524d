import { LRUCache } from 'lru-cache';
import { type Database, isRefusedContent, tenantScope } from '../db/database.ts';
import {
  appendToolCalls,
  type ChainEnd,
  type ChainPart,
  holdChainEnd,
  type NewToolCall,
} from '../db/tool-calls.ts';
import { Groups } from './groups.ts';
import type { Keyring } from './keyring.ts';
import type { Log } from './ports.ts';
import { BEGINNING, ToolCallChain } from './tool-call-chain.ts';

const TENANTS_KEPT = 1000;
const MAX_ROWS_AT_ONCE = 500;
/** While the database works on one group, the next one is made. */
const GROUPS_AT_ONCE = 2;

/** One tenant's chain as this process knows it. */
interface Lane {
  tenant_id: string;
  chain: ToolCallChain;
  /** Where this process last saw the chain end. */
  end: Pick<ChainEnd, 'count' | 'hash'>;
  broken: boolean;
  /** Whether the chain is likely to end there still: nothing went wrong since. */
  isAtEnd: boolean;
  calls: Groups<NewToolCall, void>;
}

/**
 * Writes down the calls of tools. A caller waits until its row is committed, so none that was answered is ever
 * missing. What arrives while a tenant's chain is being written goes into its next part, and the parts of several
 * tenants into one statement.
 */
export class ToolCallLog {
  readonly #db: Database;
  readonly #keyring: Keyring;
  readonly #log: Log;
  readonly #lanes = new LRUCache<string, Lane>({ max: TENANTS_KEPT });
  readonly #parts = new Groups<ChainPart, boolean>((parts) => this.#append(parts), {
    atOnce: GROUPS_AT_ONCE,
    maxWeight: MAX_ROWS_AT_ONCE,
  });

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
      if (!lane.isAtEnd || !(await this.#extend(lane, calls))) await this.#extendHeld(lane, calls);
      return [];
    };
    const lane: Lane = {
      tenant_id,
      chain: new ToolCallChain(this.#keyring, tenant_id),
      end: BEGINNING,
      broken: false,
      isAtEnd: false,
      // One at a time: each row is chained to the one before.
      calls: new Groups(write, { atOnce: 1, maxWeight: MAX_ROWS_AT_ONCE }),
    };
    this.#lanes.set(tenant_id, lane);
    return lane;
  }

  /** Together with other tenants, on the guess that nobody else has written since. @returns false: nothing was done */
  async #extend(lane: Lane, calls: readonly NewToolCall[]): Promise<boolean> {
    const { tenant_id, end: before } = lane;
    const { rows, end } = lane.chain.extend(before, lane.broken, calls);
    // Whoever spoils a group, or loses a race, goes alone until that has gone well.
    lane.isAtEnd = await this.#parts.add({ tenant_id, before, calls: rows, after: end }, rows.length);
    if (lane.isAtEnd) lane.end = end;
    return lane.isAtEnd;
  }

  async #append(parts: readonly ChainPart[]): Promise<boolean[]> {
    try {
      const added = await appendToolCalls(this.#db.system, parts);
      return parts.map(({ tenant_id }) => added.has(tenant_id));
    } catch (error) {
      // Nothing was kept, and it is not known whose fault it was. (Of a lost connection it is not known what was kept.)
      if (!isRefusedContent(error)) throw error;
      this.#log.warn({ err: error }, 'tool calls were refused together and are written tenant by tenant');
      return parts.map(() => false);
    }
  }

  /** By itself: another copy of the service writes to the chain, too, so it is held while its end is read and moved. */
  async #extendHeld(lane: Lane, calls: readonly NewToolCall[]): Promise<void> {
    const { tenant_id, chain, end: known } = lane;
    const { end, broken } = await this.#db.transaction(tenantScope(tenant_id), async (tx) => {
      const before = await holdChainEnd(tx, chain.beginning());
      const broken = !chain.isSealed(before) || before.count < known.count;
      if (broken) this.#log.error({ tenant_id }, 'the record of tool calls was changed from outside');
      const { rows, end } = chain.extend(before, broken, calls);
      const added = await appendToolCalls(tx, [{ tenant_id, before, calls: rows, after: end }]);
      if (!added.has(tenant_id)) throw new Error('The chain moved although it was held');
      return { end, broken };
    });
    Object.assign(lane, { end, broken, isAtEnd: true });
  }
}
