import type { ServerNames } from '../platform/addresses.ts';

/** RFC 5280, section 5.3.1. */
export type RevocationReason = 'unspecified' | 'key_compromise' | 'superseded' | 'cessation_of_operation';

export interface CertificateTerms {
  /** Whole octets in hexadecimal. The first digit is 1 to 7, so the number is positive. */
  serial: string;
  /** Whole seconds, as in X.509. */
  not_before: Date;
  not_after: Date;
}

/** Proves that its sender holds this key. Names and extensions are ignored. */
export interface CertificateRequest {
  /** SubjectPublicKeyInfo, DER. */
  public_key_spki: Buffer;
  public_key_sha256: Buffer;
}

/** PEM, the key as PKCS #8. A chain begins with the leaf. */
export interface CertifiedKey {
  cert_pem: string;
  private_key_pem: string;
}

export interface GivenAuthority extends CertifiedKey {
  serial: string;
  not_before: Date;
  not_after: Date;
  root: { cert_pem: string; serial: string; not_before: Date; not_after: Date };
}

export interface RevokedCertificate {
  serial: string;
  revoked_at: Date;
  reason: RevocationReason;
}

export interface Issuer {
  /** PEM. For TLS as client and as server, in the name of the SPIFFE id alone. */
  issueRuntime(
    request: CertificateRequest,
    certificate: CertificateTerms & { common_name: string; spiffe_id: string },
  ): Promise<string>;
  /** The chain comes without the root. */
  issueServer(certificate: CertificateTerms & ServerNames): Promise<CertifiedKey>;
  /** The new key may not issue further authorities. */
  issueAuthority(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  /** Version 2, PEM. `number` has to grow from list to list. */
  signRevocationList(list: {
    number: bigint;
    revoked: readonly RevokedCertificate[];
    this_update: Date;
    next_update: Date;
  }): Promise<string>;
}

/** RFC 5280; contract, section 8. */
export interface X509 {
  /**
   * PKCS #10, PEM. ServiceError bad_request unless the key is P-256, P-384, Ed25519 or RSA of 2048 to 8192 bits, and
   * the signature is valid and uses a current algorithm.
   */
  readRequest(csr_pem: string): Promise<CertificateRequest>;
  createRoot(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  openIssuer(key: CertifiedKey): Promise<Issuer>;
}
