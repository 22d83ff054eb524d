import type { ServerNames } from '../platform/addresses.ts';

/** Why a certificate was revoked (of the reasons of RFC 5280, section 5.3.1, those that can be ours). */
export type RevocationReason = 'unspecified' | 'key_compromise' | 'superseded' | 'cessation_of_operation';

/** What the caller decides of a certificate. */
export interface CertificateTerms {
  /** Whole octets in hexadecimal, the first digit from 1 to 7: positive as it stands. */
  serial: string;
  /** Whole seconds, as X.509 has them. */
  not_before: Date;
  not_after: Date;
}

/** What a signing request that passed every check proves: that its sender holds this key. Nothing else of it counts. */
export interface CertificateRequest {
  /** SubjectPublicKeyInfo, DER. */
  public_key_spki: Buffer;
  public_key_sha256: Buffer;
}

/** A certificate, or several from the leaf on, with the key of the first; PEM, the key PKCS #8. */
export interface CertifiedKey {
  cert_pem: string;
  private_key_pem: string;
}

/** A certificate authority's key that was given by file, with its root. */
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

/** A key that signs certificates and revocation lists. */
export interface Issuer {
  /** A TLS client's certificate: its subject and its names are these, whatever the request asked for. PEM. */
  issueClient(
    request: CertificateRequest,
    certificate: CertificateTerms & { common_name: string; spiffe_id: string },
  ): Promise<string>;
  /** A TLS server's new key, and its certificate with those above it but the root. */
  issueServer(certificate: CertificateTerms & ServerNames): Promise<CertifiedKey>;
  /** A new key that issues certificates, but none for further authorities. */
  issueAuthority(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  /** A version 2 revocation list, PEM. `number` grows from list to list. */
  signRevocationList(list: {
    number: bigint;
    revoked: readonly RevokedCertificate[];
    this_update: Date;
    next_update: Date;
  }): Promise<string>;
}

/** X.509 (RFC 5280), for the service's own authority (contract, section 8). */
export interface X509 {
  /**
   * Reads a signing request (PKCS #10, PEM). Rejects with ServiceError bad_request unless its key is one of P-256,
   * P-384, Ed25519 and RSA of 2048 to 8192 bits, and its signature is right and of today.
   */
  readRequest(csr_pem: string): Promise<CertificateRequest>;
  /** A new root: its key and its self-signed certificate. */
  createRoot(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  openIssuer(key: CertifiedKey): Promise<Issuer>;
}
