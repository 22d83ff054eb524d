import { AsnConvert } from '@peculiar/asn1-schema';
import * as asn from '@peculiar/asn1-x509';
import type { CertificateTerms } from '../../certificates/x509.port.ts';
import { nameOf } from './contents.ts';
import { type Signer, signedPem } from './signing-keys.ts';

export interface Contents {
  terms: CertificateTerms;
  issuer: asn.Name;
  common_name: string;
  /** SubjectPublicKeyInfo, DER. */
  public_key_spki: Buffer;
  extensions: asn.Extension[];
}

/**
 * A certificate (RFC 5280, section 4.1), PEM. Put together from the library's parts and encoded by them: its generator
 * reads again all that it is given, and what comes out, and takes three times as long for the same bytes.
 */
export function signCertificate(contents: Contents, signer: Signer): Promise<string> {
  const { terms, issuer, common_name, public_key_spki, extensions } = contents;
  const toBeSigned = new asn.TBSCertificate({
    version: asn.Version.v3,
    serialNumber: Uint8Array.from(Buffer.from(terms.serial, 'hex')).buffer,
    signature: AsnConvert.parse(signer.method.algorithm, asn.AlgorithmIdentifier),
    issuer,
    validity: new asn.Validity({ notBefore: terms.not_before, notAfter: terms.not_after }),
    subject: nameOf(common_name),
    subjectPublicKeyInfo: AsnConvert.parse(public_key_spki, asn.SubjectPublicKeyInfo),
    extensions: new asn.Extensions(extensions),
  });
  return signedPem('CERTIFICATE', Buffer.from(AsnConvert.serialize(toBeSigned)), signer);
}
