import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import type { CertificateRequest, CertificateTerms, CertifiedKey, Issuer } from '../../domain/ports.ts';
import { authorityExtensions, leafExtensions, nameOf, newKeyPair } from './contents.ts';
import { x509 } from './library.ts';
import { pemBlocks, toPem } from './pem.ts';
import { listToBeSigned, signedList } from './revocation-list.ts';
import { signBytes, signingMethod, toWebKey, type WebKey } from './signing-keys.ts';

interface Opened {
  /** The issuer's certificate and what stands between it and its root. */
  cert_pem: string;
  certificate: x509.X509Certificate;
  key_id: string;
  /** Names this key in every certificate that it issues. */
  authority_key: x509.Extension;
  key: KeyObject;
  webKey: WebKey;
}

type Contents = { common_name: string; publicKey: x509.PublicKey | Buffer; extensions: x509.Extension[] };

/** A key of the authority, opened. */
export class X509Issuer implements Issuer {
  readonly #opened: Opened;

  private constructor(opened: Opened) {
    this.#opened = opened;
  }

  static async open({ cert_pem, private_key_pem }: CertifiedKey): Promise<X509Issuer> {
    const certificate = new x509.X509Certificate(pemBlocks(cert_pem, 'CERTIFICATE')[0] ?? '');
    const key_id = certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
    const key = createPrivateKey(private_key_pem);
    const method = signingMethod(key);
    if (!key_id || !method)
      throw new Error('A certificate authority’s key or certificate has an unknown form');
    const authority_key = new x509.AuthorityKeyIdentifierExtension(key_id);
    const webKey = await toWebKey(key, method);
    return new X509Issuer({ cert_pem, certificate, key_id, authority_key, key, webKey });
  }

  issueClient(
    { public_key_spki: publicKey, public_key_sha256 }: CertificateRequest,
    certificate: CertificateTerms & { common_name: string; spiffe_id: string },
  ): Promise<string> {
    const names = [{ type: 'url' as const, value: certificate.spiffe_id }];
    const extensions = leafExtensions('client', names, public_key_sha256);
    return this.#issue(certificate, { common_name: certificate.common_name, publicKey, extensions });
  }

  async issueServer(
    certificate: CertificateTerms & { hostnames: string[]; ips: string[] },
  ): Promise<CertifiedKey> {
    const { private_key_pem, publicKey } = await newKeyPair('P-256');
    const names = [
      ...certificate.hostnames.map((value) => ({ type: 'dns' as const, value })),
      ...certificate.ips.map((value) => ({ type: 'ip' as const, value })),
    ];
    const key_sha256 = createHash('sha256').update(Buffer.from(publicKey.rawData)).digest();
    const extensions = leafExtensions('server', names, key_sha256);
    const common_name = names[0]?.value ?? '';
    const cert_pem = await this.#issue(certificate, { common_name, publicKey, extensions });
    return { cert_pem: cert_pem + this.#opened.cert_pem, private_key_pem };
  }

  async issueAuthority(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey> {
    const { private_key_pem, publicKey } = await newKeyPair('P-256');
    const extensions = await authorityExtensions(publicKey, 0);
    const { common_name } = certificate;
    return {
      cert_pem: await this.#issue(certificate, { common_name, publicKey, extensions }),
      private_key_pem,
    };
  }

  async signRevocationList(list: Parameters<Issuer['signRevocationList']>[0]): Promise<string> {
    const { certificate, key, key_id } = this.#opened;
    const method = signingMethod(key);
    if (!method) throw new Error('The key signs nothing');
    const { algorithm } = method;
    const toBeSigned = listToBeSigned({
      ...list,
      algorithm,
      issuer: Buffer.from(certificate.subjectName.toArrayBuffer()),
      authority_key_id: Buffer.from(key_id, 'hex'),
    });
    const signature = await signBytes(key, method, toBeSigned);
    return toPem('X509 CRL', signedList(toBeSigned, algorithm, signature));
  }

  async #issue(terms: CertificateTerms, { common_name, publicKey, extensions }: Contents): Promise<string> {
    const { certificate: issuer, authority_key, webKey } = this.#opened;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: terms.serial,
      subject: nameOf(common_name),
      issuer: issuer.subjectName,
      notBefore: terms.not_before,
      notAfter: terms.not_after,
      publicKey,
      signingKey: webKey.key,
      signingAlgorithm: webKey.web,
      extensions: [...extensions, authority_key],
    });
    return `${certificate.toString('pem')}\n`;
  }
}
