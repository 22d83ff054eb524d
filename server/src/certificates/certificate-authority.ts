import type { Notifications } from '../platform/db/notifications.ts';
import { type CaKeyRow, listCaKeys } from './ca-keys.db.ts';
import { adoptCaKeys, type CaTools, makeCaKeys, openCaKey, replaceIssuingKey } from './ca-keys.ts';
import { atWork, isDue, runsOutAt } from './ca-terms.ts';
import type { GivenAuthority, Issuer } from './x509.port.ts';

/** How long the keys are believed without asking again, should the notification of a change get lost. */
const KEYS_TTL_MS = 5000;

export interface SigningKey {
  row: CaKeyRow;
  issuer: Issuer;
}

/** The service's own certificate authority (contract, section 8): a root, and an issuing key that can be replaced. */
export class CertificateAuthority {
  readonly #tools: CaTools;
  readonly #issuers = new Map<string, Issuer>();
  #held: { rows: Promise<CaKeyRow[]>; until: number } | undefined;

  private constructor(tools: CaTools) {
    this.#tools = tools;
  }

  /** Makes or takes over what is missing. */
  static async open(
    tools: CaTools & { notifications: Notifications },
    given: GivenAuthority | undefined,
    now: Date,
  ): Promise<CertificateAuthority> {
    if (given) await adoptCaKeys(tools, given, now);
    else await makeCaKeys(tools, now);
    const authority = new CertificateAuthority(tools);
    tools.notifications.subscribe('ca_keys', () => authority.#forget());
    return authority;
  }

  /** The key that issues now; a new one in time before it ends. */
  async current(now: Date): Promise<SigningKey> {
    const rows = await this.#rows();
    const [root, issuing] = [atWork(rows, 'root'), atWork(rows, 'issuing')];
    if (!root || !issuing) throw new Error('The certificate authority has no key');
    const row = isDue(issuing, root, now) ? await this.replaceIssuingKey(now) : issuing;
    if (row.not_after <= now) throw new Error('The issuing certificate has expired');
    return this.#opened(row);
  }

  /**
   * Every certificate that is trusted now, PEM: issuing ones with what stands between, and roots. The one that issues now
   * comes first, for whoever reads one alone.
   */
  async trustBundle(now: Date): Promise<string> {
    const trusted = (await this.#rows()).filter((row) => runsOutAt(row) > now);
    return trusted.map(({ cert_pem }) => cert_pem).join('');
  }

  /** Whether what this key issued is trusted now. */
  async trusts(id: string, now: Date): Promise<boolean> {
    return (await this.#rows()).some((row) => row.id === id && runsOutAt(row) > now);
  }

  /** The keys that are trusted now and kept here, in the order of the bundle: those that sign a revocation list. */
  async signingKeys(now: Date): Promise<SigningKey[]> {
    const rows = (await this.#rows()).filter(
      (row) => row.sealed_private_key !== null && runsOutAt(row) > now,
    );
    return Promise.all(rows.map((row) => this.#opened(row)));
  }

  /** The issuing keys that are trusted no more although their certificates have not expired. */
  async withdrawn(root_id: string, now: Date): Promise<CaKeyRow[]> {
    return (await this.#rows()).filter(
      (row) => row.issued_by === root_id && runsOutAt(row) <= now && row.not_after > now,
    );
  }

  /** See ca-keys.ts. ServiceError conflict where the authority was given by file. */
  async replaceIssuingKey(now: Date): Promise<CaKeyRow> {
    try {
      return await replaceIssuingKey(this.#tools, now);
    } finally {
      this.#forget();
    }
  }

  async #opened(row: CaKeyRow): Promise<SigningKey> {
    let issuer = this.#issuers.get(row.id);
    if (!issuer) {
      const key = openCaKey(this.#tools.keyring, row);
      if (!key) throw new Error('The key is kept elsewhere');
      issuer = await this.#tools.x509.openIssuer(key);
      this.#issuers.set(row.id, issuer);
    }
    return { row, issuer };
  }

  #rows(): Promise<CaKeyRow[]> {
    if (!this.#held || this.#held.until < performance.now()) {
      const rows = listCaKeys(this.#tools.db.system);
      this.#held = { rows, until: performance.now() + KEYS_TTL_MS };
      rows.catch(() => this.#forget());
    }
    return this.#held.rows;
  }

  #forget(): void {
    this.#held = undefined;
  }
}
