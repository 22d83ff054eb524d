import { createPrivateKey } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import * as asn from '@peculiar/asn1-x509';
import type {
  CertificateRequest,
  CertificateTerms,
  CertifiedKey,
  Issuer,
  X509,
} from '../../certificates/x509.port.ts';
import type { ServerNames } from '../../platform/addresses.ts';
import {
  authorityExtensions,
  authorityKey,
  type Contents,
  leafExtensions,
  nameOf,
  newKeyPair,
  signCertificate,
} from './certificate.ts';
import { x509 } from './library.ts';
import { pemBlocks } from './pem.ts';
import { readRequest } from './request.ts';
import { listToBeSigned } from './revocation-list.ts';
import { type Signer, signedPem, signerOf } from './signing-keys.ts';

/** @peculiar/x509 for the structures, Node's OpenSSL for keys and signatures. */
export class PeculiarX509 implements X509 {
  readonly readRequest = readRequest;

  /** P-384, because a root is used seldom and for ten years. */
  async createRoot({
    common_name,
    ...terms
  }: CertificateTerms & { common_name: string }): Promise<CertifiedKey> {
    const { privateKey, private_key_pem, public_key_spki } = await newKeyPair('P-384');
    const extensions = authorityExtensions(public_key_spki, 1);
    const contents = { terms, issuer: nameOf(common_name), common_name, public_key_spki, extensions };
    return { cert_pem: await signCertificate(contents, signerOf(privateKey)), private_key_pem };
  }

  openIssuer(key: CertifiedKey): Promise<Issuer> {
    return X509Issuer.open(key);
  }
}

interface Opened {
  /** From the issuer's certificate up to, but without, its root. */
  cert_pem: string;
  /** DER. */
  name: ArrayBuffer;
  key_id: Buffer;
  signer: Signer;
}

class X509Issuer implements Issuer {
  readonly #opened: Opened;
  readonly #name: asn.Name;
  readonly #authorityKey: asn.Extension;

  private constructor(opened: Opened) {
    this.#opened = opened;
    this.#name = AsnConvert.parse(opened.name, asn.Name);
    this.#authorityKey = authorityKey(opened.key_id);
  }

  static async open({ cert_pem, private_key_pem }: CertifiedKey): Promise<X509Issuer> {
    const certificate = new x509.X509Certificate(pemBlocks(cert_pem, 'CERTIFICATE')[0] ?? '');
    const key_id = certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
    if (!key_id) throw new Error('A certificate authority’s certificate does not name its key');
    return new X509Issuer({
      cert_pem,
      name: certificate.subjectName.toArrayBuffer(),
      key_id: Buffer.from(key_id, 'hex'),
      signer: signerOf(createPrivateKey(private_key_pem)),
    });
  }

  issueRuntime(
    { public_key_spki }: CertificateRequest,
    { common_name, spiffe_id, ...terms }: CertificateTerms & { common_name: string; spiffe_id: string },
  ): Promise<string> {
    const names = [new asn.GeneralName({ uniformResourceIdentifier: spiffe_id })];
    const extensions = leafExtensions('runtime', names, public_key_spki);
    return this.#issue({ terms, common_name, public_key_spki, extensions });
  }

  async issueServer({ hostnames, ips, ...terms }: CertificateTerms & ServerNames): Promise<CertifiedKey> {
    const { private_key_pem, public_key_spki } = await newKeyPair('P-256');
    const names = [
      ...hostnames.map((dNSName) => new asn.GeneralName({ dNSName })),
      ...ips.map((iPAddress) => new asn.GeneralName({ iPAddress })),
    ];
    const extensions = leafExtensions('server', names, public_key_spki);
    const [common_name = ''] = [...hostnames, ...ips];
    const cert_pem = await this.#issue({ terms, common_name, public_key_spki, extensions });
    return { cert_pem: cert_pem + this.#opened.cert_pem, private_key_pem };
  }

  async issueAuthority({
    common_name,
    ...terms
  }: CertificateTerms & { common_name: string }): Promise<CertifiedKey> {
    const { private_key_pem, public_key_spki } = await newKeyPair('P-256');
    const extensions = authorityExtensions(public_key_spki, 0);
    const cert_pem = await this.#issue({ terms, common_name, public_key_spki, extensions });
    return { cert_pem, private_key_pem };
  }

  signRevocationList(list: Parameters<Issuer['signRevocationList']>[0]): Promise<string> {
    const { name, key_id, signer } = this.#opened;
    const toBeSigned = listToBeSigned({
      ...list,
      algorithm: signer.method.algorithm,
      issuer: Buffer.from(name),
      authority_key_id: key_id,
    });
    return signedPem('X509 CRL', toBeSigned, signer);
  }

  #issue(contents: Omit<Contents, 'issuer'>): Promise<string> {
    const extensions = [...contents.extensions, this.#authorityKey];
    return signCertificate({ ...contents, issuer: this.#name, extensions }, this.#opened.signer);
  }
}
