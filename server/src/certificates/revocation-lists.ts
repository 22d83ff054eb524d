import type { Database } from '../platform/db/database.ts';
import { sha256 } from '../secrets/sealing.ts';
import { trustedUntil } from './ca-terms.ts';
import type { CertificateAuthority, SigningKey } from './certificate-authority.ts';
import { listRevoked } from './revocations.db.ts';
import type { RevokedCertificate } from './x509.port.ts';

export const MAX_AGE_MS = 5000;
const HOUR_MS = 60 * 60 * 1000;
const SIGN_AFTER_MS = HOUR_MS;
const VALID_MS = 24 * HOUR_MS;
/** Clocks differ: a list is backdated, and an entry stays for a while after its certificate expired. */
const BACKDATE_MS = 5 * 60 * 1000;
const LINGER_MS = HOUR_MS;

interface RevocationLists {
  /** PEM, one list per issuer. */
  pem: string;
  sha256: Buffer;
}

interface Cached extends RevocationLists {
  read_at: number;
  signed_at: number;
  contents: string;
}

interface Unsigned {
  key: SigningKey;
  revoked: RevokedCertificate[];
}

/** The revoked certificates of all tenants. Cached, because anybody may request the lists. */
export class RevocationListKeeper {
  readonly #db: Database;
  readonly #authority: CertificateAuthority;
  #cached: Cached | undefined;
  #reading: Promise<RevocationLists> | undefined;

  constructor(db: Database, authority: CertificateAuthority) {
    this.#db = db;
    this.#authority = authority;
  }

  async lists(): Promise<RevocationLists> {
    const { now } = this.#db.system;
    if (this.#cached && isWithin(now, this.#cached.read_at, MAX_AGE_MS)) return this.#cached;
    this.#reading ??= this.#read(now).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(now: Date): Promise<RevocationLists> {
    const lists: Unsigned[] = [];
    for (const key of await this.#authority.signingKeys()) {
      lists.push({ key, revoked: await this.#revokedBy(key, now) });
    }
    const contents = sha256(JSON.stringify(lists.map(({ key, revoked }) => [key.row.id, revoked]))).toString(
      'base64',
    );
    const read_at = now.getTime();
    const cached = this.#cached;
    if (cached?.contents === contents && isWithin(now, cached.signed_at, SIGN_AFTER_MS)) {
      this.#cached = { ...cached, read_at };
    } else {
      const pem = (await Promise.all(lists.map((list) => sign(list, now)))).join('');
      this.#cached = { pem, sha256: sha256(pem), contents, read_at, signed_at: read_at };
    }
    return this.#cached;
  }

  /** The root revokes issuing keys, an issuing key certificates of instances. */
  async #revokedBy({ row }: SigningKey, now: Date): Promise<RevokedCertificate[]> {
    if (row.kind === 'issuing') {
      return this.#db.system.run(listRevoked(row.id, new Date(now.getTime() - LINGER_MS)));
    }
    const withdrawn = await this.#authority.withdrawn(row.id);
    return withdrawn.map((key) => ({
      serial: key.serial,
      revoked_at: trustedUntil(key),
      reason: 'superseded',
    }));
  }
}

/** False for a time in the future, left by a clock that was set back. */
const isWithin = (now: Date, since: number, ms: number) =>
  now.getTime() >= since && now.getTime() < since + ms;

/** Numbered by milliseconds, so processes need no common counter. */
const sign = ({ key, revoked }: Unsigned, now: Date): Promise<string> =>
  key.issuer.signRevocationList({
    number: BigInt(now.getTime()),
    revoked,
    this_update: new Date(now.getTime() - BACKDATE_MS),
    next_update: new Date(now.getTime() + VALID_MS),
  });
