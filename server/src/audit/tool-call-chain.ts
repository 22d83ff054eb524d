import canonicalize from 'canonicalize';
import type { Keyring } from '../secrets/keyring.ts';
import { deriveKey, hmac, type Key } from '../secrets/sealing.ts';
import type { ChainEnd, ChainPosition, NewToolCall, ToolCallRow } from './tool-calls.db.ts';

/** The position in a chain before its first row. */
export const BEGINNING: ChainPosition = { count: 0, hash: Buffer.alloc(32) };

/** Replaces the seal once the end was found changed. No key makes this value. */
const BROKEN_SEAL = Buffer.alloc(32);

/**
 * The keyed hash chain of one tenant's tool calls. Without the key, write access to the database is not enough to forge a
 * row or an end.
 */
export class ToolCallChain {
  readonly #tenant_id: string;
  readonly #key: Key;
  readonly #argumentsKey: Key;

  constructor(keyring: Keyring, tenant_id: string) {
    const key = keyring.serviceKey('tool-calls');
    this.#tenant_id = tenant_id;
    this.#key = deriveKey(key, `chain:${tenant_id}`);
    this.#argumentsKey = deriveKey(key, `arguments:${tenant_id}`);
  }

  /** HMAC-SHA256 over the row and the hash of the previous row. */
  rowHash(before: Buffer, seq: number, call: NewToolCall): Buffer {
    return hmac(
      this.#key,
      JSON.stringify([
        'row',
        this.#tenant_id,
        before.toString('hex'),
        seq,
        call.at.toISOString(),
        call.tool,
        call.scope,
        call.decision,
        call.reason,
        call.status,
        call.latency_ms,
        call.key_id,
        call.user_id,
        call.client_name,
        call.client_version,
        call.arguments_fingerprint,
        call.request_id,
      ]),
    );
  }

  seal({ count, hash }: ChainPosition): Buffer {
    return hmac(this.#key, JSON.stringify(['end', this.#tenant_id, count, hash.toString('hex')]));
  }

  /** The end of an empty chain. */
  beginning(): ChainEnd {
    return { ...BEGINNING, seal: this.seal(BEGINNING) };
  }

  isSealed(end: ChainEnd): boolean {
    return this.seal(end).equals(end.seal);
  }

  /** Puts calls behind an end. A broken end stays unsealed, because a new seal would hide the change. */
  extend(
    before: ChainPosition,
    broken: boolean,
    calls: readonly NewToolCall[],
  ): { rows: ToolCallRow[]; end: ChainEnd } {
    let { count, hash } = before;
    const rows = calls.map((call) => {
      count += 1;
      hash = this.rowHash(hash, count, call);
      return { ...call, seq: count, hash: hash.toString('hex') };
    });
    return { rows, end: { count, hash, seal: broken ? BROKEN_SEAL : this.seal({ count, hash }) } };
  }

  /**
   * A keyed hash in hex, equal for equal arguments of a tool in any order (RFC 8785).
   * @returns null for arguments without a canonical form: nested too deeply, a lone surrogate, a number out of range
   */
  fingerprint(tool: string, args: unknown): string | null {
    try {
      return hmac(this.#argumentsKey, `${tool}:${canonicalize(args)}`).toString('hex');
    } catch {
      return null;
    }
  }
}
