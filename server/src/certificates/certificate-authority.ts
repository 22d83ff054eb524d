import type { Notifications } from '../platform/db/notifications.ts';
import { type CaKeyRow, listCaKeys } from './ca-keys.db.ts';
import { adoptCaKeys, type CaServices, makeCaKeys, openCaKey, replaceIssuingKey } from './ca-keys.ts';
import { activeKey, isReplacementDue, trustedUntil } from './ca-terms.ts';
import type { GivenAuthority, Issuer } from './x509.port.ts';

/** In case the notification of a change is lost. */
const KEYS_TTL_MS = 5000;

export interface SigningKey {
  row: CaKeyRow;
  issuer: Issuer;
}

/** Contract, section 8. */
export class CertificateAuthority {
  readonly #services: CaServices;
  readonly #issuers = new Map<string, Issuer>();
  #cached: { rows: Promise<CaKeyRow[]>; until: number } | undefined;

  private constructor(services: CaServices) {
    this.#services = services;
  }

  static async open(
    services: CaServices & { notifications: Notifications },
    given: GivenAuthority | undefined,
  ): Promise<CertificateAuthority> {
    if (given) await adoptCaKeys(services, given);
    else await makeCaKeys(services);
    const authority = new CertificateAuthority(services);
    services.notifications.subscribe('ca_keys', () => authority.#forget());
    return authority;
  }

  /** Replaces an issuing key that nears its end. */
  async current(): Promise<SigningKey> {
    const rows = await this.#rows();
    const [root, issuing] = [activeKey(rows, 'root'), activeKey(rows, 'issuing')];
    if (!root || !issuing) throw new Error('The certificate authority has no key');
    const row = isReplacementDue(issuing, root, this.#now) ? await this.replaceIssuingKey() : issuing;
    if (row.not_after <= this.#now) throw new Error('The issuing certificate has expired');
    return this.#opened(row);
  }

  /**
   * All trusted certificates, PEM: issuing ones with those between them and the root, then roots. The active one comes
   * first, for clients that read only one.
   */
  async trustBundle(): Promise<string> {
    return (await this.#trusted()).map(({ cert_pem }) => cert_pem).join('');
  }

  async trusts(id: string): Promise<boolean> {
    return (await this.#trusted()).some((row) => row.id === id);
  }

  /** In the order of the bundle. */
  async signingKeys(): Promise<SigningKey[]> {
    const rows = (await this.#trusted()).filter((row) => row.sealed_private_key !== null);
    return Promise.all(rows.map((row) => this.#opened(row)));
  }

  /** No longer trusted, but not expired. */
  async withdrawn(root_id: string): Promise<CaKeyRow[]> {
    const now = this.#now;
    return (await this.#rows()).filter(
      (row) => row.issued_by === root_id && trustedUntil(row) <= now && row.not_after > now,
    );
  }

  async replaceIssuingKey(): Promise<CaKeyRow> {
    try {
      return await replaceIssuingKey(this.#services);
    } finally {
      this.#forget();
    }
  }

  get #now(): Date {
    return this.#services.db.system.now;
  }

  async #trusted(): Promise<CaKeyRow[]> {
    const rows = await this.#rows();
    const now = this.#now;
    return rows.filter((row) => trustedUntil(row) > now);
  }

  async #opened(row: CaKeyRow): Promise<SigningKey> {
    let issuer = this.#issuers.get(row.id);
    if (!issuer) {
      const key = openCaKey(this.#services.keyring, row);
      if (!key) throw new Error('The key is kept elsewhere');
      issuer = await this.#services.x509.openIssuer(key);
      this.#issuers.set(row.id, issuer);
    }
    return { row, issuer };
  }

  #rows(): Promise<CaKeyRow[]> {
    if (!this.#cached || this.#cached.until < performance.now()) {
      const rows = this.#services.db.system.run(listCaKeys());
      this.#cached = { rows, until: performance.now() + KEYS_TTL_MS };
      rows.catch(() => this.#forget());
    }
    return this.#cached.rows;
  }

  #forget(): void {
    this.#cached = undefined;
  }
}
