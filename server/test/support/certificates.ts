import { type CertificateRow, certificateColumns } from '../../src/certificates/certificates.db.ts';
import { type RevocationReason } from '../../src/certificates/x509.port.ts';
import type { Queryable } from '../../src/platform/db/queryable.ts';
import { sql } from '../../src/platform/db/sql.ts';

/** The instance's certificate that is not revoked; it may have expired. */
export async function findCurrentCertificate(
  q: Queryable,
  instance_id: string,
): Promise<CertificateRow | undefined> {
  const [row] = await q.rows(
    sql<CertificateRow>`
      select ${certificateColumns} from certificates where instance_id = ${instance_id} and revoked_at is null`,
  );
  return row;
}

/** Revokes one certificate, as an operator would by hand. @returns false when there is none that is not revoked */
export async function revokeCertificate(
  q: Queryable,
  serial: string,
  reason: RevocationReason,
  now: Date,
): Promise<boolean> {
  const rows = await q.rows(
    sql`update certificates set revoked_at = ${now}, revocation_reason = ${reason}
        where serial = ${serial} and revoked_at is null returning serial`,
  );
  return rows.length > 0;
}
