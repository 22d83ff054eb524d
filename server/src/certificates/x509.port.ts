import type { ServerNames } from '../platform/addresses.ts';

/** The reasons of RFC 5280, section 5.3.1, that the service uses. */
export type RevocationReason = 'unspecified' | 'key_compromise' | 'superseded' | 'cessation_of_operation';

export interface CertificateTerms {
  /** Whole octets in hexadecimal, the first digit from 1 to 7, so that the number is positive. */
  serial: string;
  /** Whole seconds, as in X.509. */
  not_before: Date;
  not_after: Date;
}

/** A checked signing request. It proves that its sender holds this key; its names and extensions are ignored. */
export interface CertificateRequest {
  /** SubjectPublicKeyInfo, DER. */
  public_key_spki: Buffer;
  public_key_sha256: Buffer;
}

/** A certificate or a chain that begins with the leaf, and the leaf's key; PEM, the key as PKCS #8. */
export interface CertifiedKey {
  cert_pem: string;
  private_key_pem: string;
}

/** A certificate authority given by file, with its root. */
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
  /** A TLS client's certificate, PEM. The names of the request are ignored. */
  issueClient(
    request: CertificateRequest,
    certificate: CertificateTerms & { common_name: string; spiffe_id: string },
  ): Promise<string>;
  /** A TLS server's new key, and its certificate chain without the root. */
  issueServer(certificate: CertificateTerms & ServerNames): Promise<CertifiedKey>;
  /** A new key that issues certificates, but not for further authorities. */
  issueAuthority(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  /** A version 2 revocation list, PEM. `number` has to grow from list to list. */
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
   * Reads a signing request (PKCS #10, PEM). Rejects with ServiceError bad_request unless its key is P-256, P-384,
   * Ed25519 or RSA of 2048 to 8192 bits, and its signature is valid and uses a current algorithm.
   */
  readRequest(csr_pem: string): Promise<CertificateRequest>;
  /** A new root key and its self-signed certificate. */
  createRoot(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  openIssuer(key: CertifiedKey): Promise<Issuer>;
}
