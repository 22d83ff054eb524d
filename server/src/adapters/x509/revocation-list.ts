import type { RevokedCertificate } from '../../certificates/x509.port.ts';
import { enumerated, explicit, integer, octetString, sequence, time } from './der-writer.ts';

/** CRLReason (RFC 5280, section 5.3.1). Without the extension, the reason is unspecified. */
const REASONS: Readonly<Record<RevokedCertificate['reason'], number | undefined>> = {
  unspecified: undefined,
  key_compromise: 1,
  superseded: 4,
  cessation_of_operation: 5,
};

const oid = (hex: string) => Buffer.from(`0603${hex}`, 'hex');
const CRL_REASON = oid('551d15');
const CRL_NUMBER = oid('551d14');
const AUTHORITY_KEY_IDENTIFIER = oid('551d23');
const VERSION_2 = integer('1');

interface RevocationList {
  /** AlgorithmIdentifier, DER. */
  algorithm: Buffer;
  /** Name, DER. */
  issuer: Buffer;
  authority_key_id: Buffer;
  number: bigint;
  revoked: readonly RevokedCertificate[];
  this_update: Date;
  next_update: Date;
}

/**
 * A TBSCertList (RFC 5280, section 5.1), DER. Encoded by us, because the library would block the event loop for too long
 * (docs/decisions/0016-x509-der.md).
 */
export function listToBeSigned(list: RevocationList): Buffer {
  const entries = list.revoked.map(entry);
  return sequence(
    VERSION_2,
    list.algorithm,
    list.issuer,
    time(list.this_update),
    time(list.next_update),
    // RFC 5280 forbids an empty list here.
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    explicit(
      0,
      sequence(
        extension(AUTHORITY_KEY_IDENTIFIER, sequence(keyIdentifier(list.authority_key_id))),
        extension(CRL_NUMBER, integer(list.number.toString(16))),
      ),
    ),
  );
}

function entry({ serial, revoked_at, reason }: RevokedCertificate): Buffer {
  const code = REASONS[reason];
  const why = code === undefined ? [] : [sequence(extension(CRL_REASON, enumerated(code)))];
  return sequence(integer(serial), time(revoked_at), ...why);
}

const extension = (id: Buffer, value: Buffer) => sequence(id, octetString(value));

/** [0] IMPLICIT OCTET STRING */
const keyIdentifier = (id: Buffer) => Buffer.concat([Buffer.of(0x80, id.length), id]);
