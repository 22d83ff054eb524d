import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { KnownValue } from '../redaction/known-forms.ts';
import { findSecretsChange, listSealedSecrets } from '../redaction/known-values.db.ts';
import { openSecrets } from '../redaction/known-values.ts';
import { Redactor } from '../redaction/redaction.ts';
import type { StrippedKind } from '../redaction/save-from-instance.contract.ts';
import type { Keyring } from '../secrets/keyring.ts';

const MIB = 1024 * 1024;
/** The bytes of one instance's secrets. Lines of an instance with more are withheld, because its search would take too long to build. */
const MOST_BYTES = 4 * MIB;
/** The bytes of the secrets behind all searches that are kept; a search takes some 20 times as much memory. */
const KEPT_BYTES = 8 * MIB;
/** Shorter lines of a multi-line key are no secret by themselves. */
const MIN_KEY_LINE = 16;

const SECRET_KINDS: ReadonlySet<StrippedKind> = new Set<StrippedKind>(['api_key', 'credential', 'secret']);

interface Kept {
  change: string;
  bytes: number;
  redactor: Promise<Redactor>;
}

/** Searches for the secrets of instances, kept until a secret changes, so that a line costs the same for any number. */
export class LogRedactors {
  readonly #keyring: Keyring;
  readonly #llmKey: string | undefined;
  /** By instance, the longest unused first. */
  readonly #kept = new Map<string, Kept>();

  constructor(keyring: Keyring, llmKey: string | undefined) {
    this.#keyring = keyring;
    this.#llmKey = llmKey;
  }

  /** undefined where the secrets are too large. */
  async of(q: TenantQueryable, instance_id: string): Promise<Redactor | undefined> {
    const { change, bytes } = await q.run(findSecretsChange(instance_id));
    const before = this.#kept.get(instance_id);
    this.#kept.delete(instance_id);
    if (bytes > MOST_BYTES) return undefined;
    const kept =
      before?.change === change ? before : { change, bytes, redactor: this.#build(q, instance_id) };
    this.#kept.set(instance_id, kept);
    this.#trim();
    try {
      return await kept.redactor;
    } catch (error) {
      if (this.#kept.get(instance_id) === kept) this.#kept.delete(instance_id);
      throw error;
    }
  }

  async #build(q: TenantQueryable, instance_id: string): Promise<Redactor> {
    const known = await openSecrets(q, this.#keyring, await q.run(listSealedSecrets(instance_id, null)));
    if (this.#llmKey !== undefined) known.push({ kind: 'api_key', text: this.#llmKey });
    return redactorOf(known);
  }

  #trim(): void {
    let bytes = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [instance_id, kept] of this.#kept) {
      if (bytes <= KEPT_BYTES && this.#kept.size <= MOST_KEPT) break;
      bytes -= kept.bytes;
      this.#kept.delete(instance_id);
    }
  }
}

const MOST_KEPT = 1000;

/** Lines of a private key are secrets, too. */
export function redactorOf(known: readonly KnownValue[]): Redactor {
  const parts = known.flatMap(({ kind, text }) =>
    text
      .split(/\r?\n/)
      .filter((part) => part !== text && part.length >= MIN_KEY_LINE)
      .map((part) => ({ kind, text: part })),
  );
  return new Redactor([...known, ...parts], SECRET_KINDS);
}
