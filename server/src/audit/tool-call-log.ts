import { LRUCache } from 'lru-cache';
import { type Database } from '../platform/db/database.ts';
import { tenantScope } from '../platform/db/queryable.ts';
import { isRefusedContent } from '../platform/db/refusals.ts';
import { GroupCommit } from '../platform/load/group-commit.ts';
import type { Log } from '../platform/ports.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { BEGINNING, ToolCallChain } from './tool-call-chain.ts';
import {
  appendToolCalls,
  type ChainPart,
  type ChainPosition,
  holdChainEnd,
  type NewToolCall,
} from './tool-calls.db.ts';

const TENANTS_KEPT = 1000;
const MAX_ROWS_AT_ONCE = 500;
/** While the database works on one group, the next one is made. */
const GROUPS_AT_ONCE = 2;

/** One tenant's chain as this process knows it. */
interface KnownChain {
  tenant_id: string;
  hashes: ToolCallChain;
  /** Where this process last saw the chain end. */
  end: ChainPosition;
  broken: boolean;
  /** Whether the chain is likely to end there still: nothing went wrong since. */
  isAtEnd: boolean;
  calls: GroupCommit<NewToolCall, void>;
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
  readonly #chains = new LRUCache<string, KnownChain>({ max: TENANTS_KEPT });
  readonly #parts = new GroupCommit<ChainPart, boolean>((parts) => this.#append(parts), {
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
    return this.#chain(tenant_id).hashes.fingerprint(tool, args);
  }

  /** Resolves when the row is committed; rejects with the database's error. */
  append(tenant_id: string, call: NewToolCall): Promise<void> {
    return this.#chain(tenant_id).calls.add(call);
  }

  #chain(tenant_id: string): KnownChain {
    return this.#chains.get(tenant_id) ?? this.#newChain(tenant_id);
  }

  #newChain(tenant_id: string): KnownChain {
    const write = async (calls: readonly NewToolCall[]): Promise<void[]> => {
      if (!known.isAtEnd || !(await this.#extend(known, calls))) await this.#extendHeld(known, calls);
      return [];
    };
    const known: KnownChain = {
      tenant_id,
      hashes: new ToolCallChain(this.#keyring, tenant_id),
      end: BEGINNING,
      broken: false,
      isAtEnd: false,
      // One at a time: each row is chained to the one before.
      calls: new GroupCommit(write, { atOnce: 1, maxWeight: MAX_ROWS_AT_ONCE }),
    };
    this.#chains.set(tenant_id, known);
    return known;
  }

  /** Together with other tenants, on the guess that nobody else has written since. @returns false: nothing was done */
  async #extend(known: KnownChain, calls: readonly NewToolCall[]): Promise<boolean> {
    const { tenant_id, end: before } = known;
    const { rows, end } = known.hashes.extend(before, known.broken, calls);
    // Whoever spoils a group, or loses a race, goes alone until that has gone well.
    known.isAtEnd = await this.#parts.add({ tenant_id, before, calls: rows, after: end }, rows.length);
    if (known.isAtEnd) known.end = end;
    return known.isAtEnd;
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
  async #extendHeld(known: KnownChain, calls: readonly NewToolCall[]): Promise<void> {
    const { tenant_id, hashes, end: seen } = known;
    const { end, broken } = await this.#db.transaction(tenantScope(tenant_id), async (tx) => {
      const before = await holdChainEnd(tx, hashes.beginning());
      const broken = !hashes.isSealed(before) || before.count < seen.count;
      if (broken) this.#log.error({ tenant_id }, 'the record of tool calls was changed from outside');
      const { rows, end } = hashes.extend(before, broken, calls);
      const added = await appendToolCalls(tx, [{ tenant_id, before, calls: rows, after: end }]);
      if (!added.has(tenant_id)) throw new Error('The chain moved although it was held');
      return { end, broken };
    });
    Object.assign(known, { end, broken, isAtEnd: true });
  }
}
