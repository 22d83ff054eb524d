import { LRUCache } from 'lru-cache';
import { isRefusedContent } from '../platform/db/constraint-errors.ts';
import type { Database } from '../platform/db/database.ts';
import { GroupCommit } from '../platform/load/group-commit.ts';
import type { Log } from '../platform/ports.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { BEGINNING, ToolCallChain } from './tool-call-chain.ts';
import {
  appendToolCalls,
  type ChainPart,
  type ChainPosition,
  insertChainEnd,
  lockChainEnd,
  type NewToolCall,
} from './tool-calls.db.ts';

const TENANTS_KEPT = 1000;
const MAX_ROWS_AT_ONCE = 500;
/** The next group is made while the database writes one. */
const GROUPS_AT_ONCE = 2;

/** A tenant's chain as last seen by this process. */
interface KnownChain {
  tenant_id: string;
  hashes: ToolCallChain;
  end: ChainPosition;
  broken: boolean;
  /** True while the chain is expected to end there still: the last append succeeded. */
  isAtEnd: boolean;
  calls: GroupCommit<NewToolCall, void>;
}

/**
 * Records tool calls. `append` resolves when the row is committed, so every answered call has its row. Two levels of
 * group commit: calls of one tenant that arrive while its chain is written go into its next part, and the waiting parts
 * of all tenants go into one statement.
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

  /** A keyed hash in hex that identifies equal arguments of a tool; null where they have no canonical form. */
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
      if (!known.isAtEnd || !(await this.#extend(known, calls))) await this.#extendLocked(known, calls);
      return [];
    };
    const known: KnownChain = {
      tenant_id,
      hashes: new ToolCallChain(this.#keyring, tenant_id),
      end: BEGINNING,
      broken: false,
      isAtEnd: false,
      // One at a time: each row is chained to the previous one.
      calls: new GroupCommit(write, { atOnce: 1, maxWeight: MAX_ROWS_AT_ONCE }),
    };
    this.#chains.set(tenant_id, known);
    return known;
  }

  /**
   * Appends in one statement with other tenants, assuming that no other process has written since. False, and nothing is
   * done, when the assumption was wrong or the group was refused.
   */
  async #extend(known: KnownChain, calls: readonly NewToolCall[]): Promise<boolean> {
    const { tenant_id, end: before } = known;
    const { rows, end } = known.hashes.extend(before, known.broken, calls);
    // After a failure the tenant's calls are written alone, until that succeeds.
    known.isAtEnd = await this.#parts.add({ tenant_id, before, calls: rows, after: end }, rows.length);
    if (known.isAtEnd) known.end = end;
    return known.isAtEnd;
  }

  async #append(parts: readonly ChainPart[]): Promise<boolean[]> {
    try {
      const added = await this.#db.system.run(appendToolCalls(parts));
      return parts.map(({ tenant_id }) => added.has(tenant_id));
    } catch (error) {
      // Nothing was committed, and the tenant at fault is unknown. After a lost connection even that is uncertain.
      if (!isRefusedContent(error)) throw error;
      this.#log.warn({ err: error }, 'a group of tool calls was refused; each tenant is written alone');
      return parts.map(() => false);
    }
  }

  /** Appends under the chain's lock, because other copies of the service write to the chain, too. */
  async #extendLocked(known: KnownChain, calls: readonly NewToolCall[]): Promise<void> {
    const { tenant_id, hashes, end: seen } = known;
    const { end, broken } = await this.#db.tenant(tenant_id).transaction(async (tx) => {
      const [, before] = await tx.run(insertChainEnd(hashes.beginning()), lockChainEnd());
      const broken = !hashes.isSealed(before) || before.count < seen.count;
      if (broken) this.#log.error({ tenant_id }, 'the record of tool calls was changed from outside');
      const { rows, end } = hashes.extend(before, broken, calls);
      const added = await tx.run(appendToolCalls([{ tenant_id, before, calls: rows, after: end }]));
      if (!added.has(tenant_id)) throw new Error('The chain moved although it was locked');
      return { end, broken };
    });
    Object.assign(known, { end, broken, isAtEnd: true });
  }
}
