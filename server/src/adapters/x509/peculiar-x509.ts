import type { CertificateTerms, CertifiedKey, Issuer, X509 } from '../../certificates/x509.port.ts';
import { signCertificate } from './certificate.ts';
import { authorityExtensions, nameOf, newKeyPair } from './contents.ts';
import { X509Issuer } from './issuer.ts';
import { readRequest } from './request.ts';
import { signerOf } from './signing-keys.ts';

/** X.509 by @peculiar/x509 and what it is made of, keys and signatures by Node's own OpenSSL. */
export class PeculiarX509 implements X509 {
  readonly readRequest = readRequest;

  /** P-384: a root is used for ten years, and seldom. */
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
