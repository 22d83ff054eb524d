import canonicalize from 'canonicalize';
import { LRUCache } from 'lru-cache';
import { isRefusedContent } from '../platform/db/constraint-errors.ts';
import type { Database } from '../platform/db/database.ts';
import { GroupCommit } from '../platform/load/group-commit.ts';
import type { Log } from '../platform/ports.ts';
import { CHAIN_START, type ChainHead } from '../secrets/chain-heads.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { withCurrentKey } from '../secrets/master-keys.ts';
import { deriveKey, hmac, type Key } from '../secrets/sealing.ts';
import { Chain } from './chain.ts';
import { lockHead } from './chain-head.ts';
import {
  appendToolCalls,
  type ChainPart,
  findLastToolCall,
  type NewToolCall,
  toolCallFields,
} from './tool-calls.db.ts';

const TENANTS_KEPT = 1000;
const MAX_BATCH = 500;
/** One group is built during another's write. */
const MAX_CONCURRENT_GROUPS = 2;

/** As last seen by this process. */
interface KnownChain {
  tenant_id: string;
  chain: Chain;
  argumentsKey: Key;
  head: ChainHead;
  /** The stored head. */
  sealed: Buffer;
  /** False after a failed append: another process may have written. */
  isAtEnd: boolean;
  calls: GroupCommit<NewToolCall, void>;
}

/**
 * Group commit on two levels: calls of a tenant that arrive during a write form its next part, and waiting parts of all
 * tenants form one statement.
 */
export class ToolCallLog {
  readonly #db: Database;
  readonly #keyring: Keyring;
  readonly #log: Log;
  readonly #chains = new LRUCache<string, KnownChain>({ max: TENANTS_KEPT });
  readonly #parts = new GroupCommit<ChainPart, boolean>((parts) => this.#append(parts), {
    atOnce: MAX_CONCURRENT_GROUPS,
    maxWeight: MAX_BATCH,
  });

  constructor(db: Database, keyring: Keyring, log: Log) {
    this.#db = db;
    this.#keyring = keyring;
    this.#log = log;
  }

  /**
   * A keyed hash in hex, equal for equal arguments of a tool in any order (RFC 8785).
   * @returns null without a canonical form: nested too deeply, a lone surrogate, a number out of range
   */
  fingerprint(tenant_id: string, tool: string, args: unknown): string | null {
    try {
      const { argumentsKey } = this.#chain(tenant_id);
      return hmac(argumentsKey, `${tool}:${canonicalize(args)}`).toString('hex');
    } catch {
      return null;
    }
  }

  /** Resolves after the commit, so every answered call has its row; rejects with the database's error. */
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
      chain: new Chain(this.#keyring, 'tool_calls', tenant_id),
      argumentsKey: deriveKey(this.#keyring.serviceKey('tool-calls'), `arguments:${tenant_id}`),
      head: { begin: CHAIN_START, end: CHAIN_START, isBroken: false },
      sealed: Buffer.alloc(0),
      isAtEnd: false,
      // One at a time, because each row contains the previous row's hash.
      calls: new GroupCommit(write, { atOnce: 1, maxWeight: MAX_BATCH }),
    };
    this.#chains.set(tenant_id, known);
    return known;
  }

  /** Assumes that no other process has written since. False when that was wrong or the group was refused. */
  async #extend(known: KnownChain, calls: readonly NewToolCall[]): Promise<boolean> {
    const { tenant_id, chain, sealed: before } = known;
    const { rows, head } = chain.extend(known.head, calls, toolCallFields);
    const after = chain.seal(head);
    // After a failure the tenant's calls are written alone until that succeeds.
    known.isAtEnd = await this.#parts.add({ tenant_id, before, calls: rows, after }, rows.length);
    if (known.isAtEnd) Object.assign(known, { head, sealed: after });
    return known.isAtEnd;
  }

  async #append(parts: readonly ChainPart[]): Promise<boolean[]> {
    try {
      const added = await this.#db.system.run(appendToolCalls(parts));
      return parts.map(({ tenant_id }) => added.has(tenant_id));
    } catch (error) {
      // Nothing was committed, but any tenant may be at fault. After a lost connection even that is uncertain.
      if (!isRefusedContent(error)) throw error;
      this.#log.warn({ err: error }, 'a group of tool calls was refused; each tenant is written alone');
      return parts.map(() => false);
    }
  }

  async #extendLocked(known: KnownChain, calls: readonly NewToolCall[]): Promise<void> {
    const { tenant_id, chain, head: seen } = known;
    const written = await withCurrentKey(() =>
      this.#db.tenant(tenant_id).transaction(async (tx) => {
        const { head, sealed: before } = await lockHead(tx, tenant_id, chain, findLastToolCall());
        const isBroken = head.isBroken || head.end.count < seen.end.count;
        if (isBroken) this.#log.error({ tenant_id }, 'the record of tool calls was changed from outside');
        const { rows, head: next } = chain.extend({ ...head, isBroken }, calls, toolCallFields);
        const after = chain.seal(next);
        const added = await tx.run(appendToolCalls([{ tenant_id, before, calls: rows, after }]));
        if (!added.has(tenant_id)) throw new Error('The chain moved although it was locked');
        return { head: next, sealed: after };
      }),
    );
    Object.assign(known, { ...written, isAtEnd: true });
  }
}
