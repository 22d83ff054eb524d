import type { ChainName } from '../secrets/chain-heads.db.ts';
import type { ChainHead } from '../secrets/chain-heads.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { deriveKey, hmac, type Key } from '../secrets/sealing.ts';
import type { ChainedFields } from './chained-rows.db.ts';

const KEYS = { tool_calls: 'tool-calls', changes: 'changes' } as const;

/**
 * Write access to the database is not enough to forge a row or head, because the master key wraps the chain's key and
 * heads.
 */
export class Chain {
  readonly name: ChainName;
  readonly #tenant_id: string;
  readonly #keyring: Keyring;
  readonly #key: Key;

  constructor(keyring: Keyring, name: ChainName, tenant_id: string) {
    this.name = name;
    this.#tenant_id = tenant_id;
    this.#keyring = keyring;
    this.#key = deriveKey(keyring.serviceKey(KEYS[name]), `chain:${tenant_id}`);
  }

  /** HMAC-SHA256 over the row and the previous row's hash. */
  rowHash(before: Buffer, place: number, fields: ChainedFields): Buffer {
    const row = ['row', this.#tenant_id, before.toString('hex'), place, ...fields];
    return hmac(this.#key, JSON.stringify(row));
  }

  extend<Row>(
    head: ChainHead,
    rows: readonly Row[],
    fieldsOf: (row: Row) => ChainedFields,
  ): { rows: (Row & { place: number; hash: string })[]; head: ChainHead } {
    let { count, hash } = head.end;
    const chained = rows.map((row) => {
      count += 1;
      hash = this.rowHash(hash, count, fieldsOf(row));
      return { ...row, place: count, hash: hash.toString('hex') };
    });
    return { rows: chained, head: { ...head, end: { count, hash } } };
  }

  seal(head: ChainHead): Buffer {
    return this.#keyring.sealHead(this.#tenant_id, this.name, head);
  }

  /** undefined unless sealed here for this chain. */
  open(sealed: Buffer | undefined): ChainHead | undefined {
    return sealed && this.#keyring.openHead(this.#tenant_id, this.name, sealed);
  }
}
