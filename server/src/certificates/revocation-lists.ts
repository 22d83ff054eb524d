import type { Database } from '../platform/db/database.ts';
import { sha256 } from '../secrets/sealing.ts';
import { runsOutAt } from './ca-terms.ts';
import type { CertificateAuthority, SigningKey } from './certificate-authority.ts';
import { listRevoked } from './certificates.db.ts';
import type { RevokedCertificate } from './x509.port.ts';

/** How old an answer may be. */
export const LOOK_AFTER_MS = 5000;
const HOUR_MS = 60 * 60 * 1000;
/** When lists in which nothing changed are signed anew. */
const SIGN_AFTER_MS = HOUR_MS;
const VALID_MS = 24 * HOUR_MS;
/** Clocks differ: a list counts from five minutes ago, and an entry stays a while after its certificate ran out. */
const BACKDATE_MS = 5 * 60 * 1000;
const LINGER_MS = HOUR_MS;

export interface RevocationLists {
  /** One list of each issuer, PEM, one after the other. */
  pem: string;
  sha256: Buffer;
}

interface Held extends RevocationLists {
  looked_at: number;
  signed_at: number;
  /** What the lists say, to know whether that changed. */
  contents: string;
}

interface Content {
  key: SigningKey;
  revoked: RevokedCertificate[];
}

/** The revocation lists of all tenants' certificates. Anybody may ask for them, so asking often costs nothing. */
export class RevocationListKeeper {
  readonly #db: Database;
  readonly #authority: CertificateAuthority;
  #held: Held | undefined;
  #looking: Promise<RevocationLists> | undefined;

  constructor(db: Database, authority: CertificateAuthority) {
    this.#db = db;
    this.#authority = authority;
  }

  async lists(now: Date): Promise<RevocationLists> {
    if (this.#held && isWithin(now, this.#held.looked_at, LOOK_AFTER_MS)) return this.#held;
    this.#looking ??= this.#look(now).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(now: Date): Promise<RevocationLists> {
    const keys = await this.#authority.signingKeys(now);
    const all = await Promise.all(keys.map(async (key) => ({ key, revoked: await this.#revoked(key, now) })));
    const contents = sha256(JSON.stringify(all.map(({ key, revoked }) => [key.row.id, revoked]))).toString(
      'base64',
    );
    const looked_at = now.getTime();
    const held = this.#held;
    if (held?.contents === contents && isWithin(now, held.signed_at, SIGN_AFTER_MS)) {
      this.#held = { ...held, looked_at };
    } else {
      const pem = (await Promise.all(all.map((content) => sign(content, now)))).join('');
      this.#held = { pem, sha256: sha256(pem), contents, looked_at, signed_at: looked_at };
    }
    return this.#held;
  }

  /** The root revokes issuing keys, an issuing key certificates of instances. */
  async #revoked({ row }: SigningKey, now: Date): Promise<RevokedCertificate[]> {
    if (row.kind === 'issuing') {
      return listRevoked(this.#db.system, row.id, new Date(now.getTime() - LINGER_MS));
    }
    const withdrawn = await this.#authority.withdrawn(row.id, now);
    return withdrawn.map((key) => ({ serial: key.serial, revoked_at: runsOutAt(key), reason: 'superseded' }));
  }
}

/** The clock may be set back; what was found in its future is old. */
const isWithin = (now: Date, since: number, ms: number) =>
  now.getTime() >= since && now.getTime() < since + ms;

/** Numbered by the time in milliseconds, so that copies of the service need not agree on a count. */
const sign = ({ key, revoked }: Content, now: Date): Promise<string> =>
  key.issuer.signRevocationList({
    number: BigInt(now.getTime()),
    revoked,
    this_update: new Date(now.getTime() - BACKDATE_MS),
    next_update: new Date(now.getTime() + VALID_MS),
  });
