import type { CertificateAuthority, CertificateTerms, CertifiedKey, Issuer } from '../../domain/ports.ts';
import { authorityExtensions, nameOf, newKeyPair } from './contents.ts';
import { X509Issuer } from './issuer.ts';
import { x509 } from './library.ts';
import { readRequest } from './request.ts';
import { signingMethod, toWebKey } from './signing-keys.ts';

/** X.509 by @peculiar/x509, keys and signatures by Node's own OpenSSL. */
export class X509CertificateAuthority implements CertificateAuthority {
  readonly readRequest = readRequest;

  /** P-384: a root is used for ten years, and seldom. */
  async createRoot(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey> {
    const { privateKey, private_key_pem, publicKey } = await newKeyPair('P-384');
    const method = signingMethod(privateKey);
    if (!method) throw new Error('The key signs nothing');
    const { key, web } = await toWebKey(privateKey, method);
    const name = nameOf(certificate.common_name);
    const root = await x509.X509CertificateGenerator.create({
      serialNumber: certificate.serial,
      subject: name,
      issuer: name,
      notBefore: certificate.not_before,
      notAfter: certificate.not_after,
      publicKey,
      signingKey: key,
      signingAlgorithm: web,
      extensions: await authorityExtensions(publicKey, 1),
    });
    return { cert_pem: `${root.toString('pem')}\n`, private_key_pem };
  }

  openIssuer(key: CertifiedKey): Promise<Issuer> {
    return X509Issuer.open(key);
  }
}
