import { type CertificateRow, certificateColumns } from '../../src/certificates/certificates.db.ts';
import { type RevocationReason } from '../../src/certificates/x509.port.ts';
import { NOW, sql } from '../../src/platform/db/sql.ts';

/** Not revoked, but perhaps expired. */
export const findCurrentCertificate = (instance_id: string) =>
  sql<CertificateRow>`
    select ${certificateColumns} from certificates where instance_id = ${instance_id} and revoked_at is null`.first();

export const revokeCertificate = (serial: string, reason: RevocationReason) =>
  sql`update certificates set revoked_at = ${NOW}, revocation_reason = ${reason}
      where serial = ${serial} and revoked_at is null returning serial`.exists();
