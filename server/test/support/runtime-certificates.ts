import { createPrivateKey, generateKeyPairSync, webcrypto } from 'node:crypto';
import { expect } from 'vitest';
import { x509 } from '../../src/adapters/x509/library.ts';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import { newTerms } from '../../src/certificates/ca-terms.ts';
import type { CertifiedKey, Issuer } from '../../src/certificates/x509.port.ts';
import type { RuntimeTrust } from '../../src/runtimes/runtime-client.port.ts';
import { type Identity, newKey } from './mtls.ts';

const DAY_MS = 86_400_000;
export const TRUST_DOMAIN = 'acp.test';
export const nameOf = (instance_id: string, domain = TRUST_DOMAIN) =>
  `spiffe://${domain}/instance/${instance_id}`;

interface Lifetime {
  /** In days from now. */
  from?: number;
  until?: number;
}

const terms = ({ from = 0, until = 1 }: Lifetime) =>
  newTerms(new Date(Date.now() + from * DAY_MS), Date.now() + until * DAY_MS);

/** A root with an issuing authority below it, as the service has. */
export class TestAuthority {
  readonly root_pem: string;
  readonly issuer: Issuer;
  readonly #issuing: CertifiedKey;

  private constructor(root_pem: string, issuing: CertifiedKey, issuer: Issuer) {
    this.root_pem = root_pem;
    this.#issuing = issuing;
    this.issuer = issuer;
  }

  static async make(): Promise<TestAuthority> {
    const peculiar = new PeculiarX509();
    const root = await peculiar.createRoot({ ...terms({ until: 100 }), common_name: 'Root' });
    const top = await peculiar.openIssuer(root);
    const issuing = await top.issueAuthority({ ...terms({ until: 50 }), common_name: 'Issuing' });
    return new TestAuthority(root.cert_pem, issuing, await peculiar.openIssuer(issuing));
  }

  get bundle(): string {
    return this.#issuing.cert_pem + this.root_pem;
  }

  async runtime(instance_id: string, life: Lifetime = {}, domain = TRUST_DOMAIN): Promise<Identity> {
    const { key, request } = newKey();
    const spiffe_id = nameOf(instance_id, domain);
    const cert = await this.issuer.issueRuntime(request, {
      ...terms(life),
      common_name: instance_id,
      spiffe_id,
    });
    return { cert, key };
  }

  /** A certificate that the service does not issue. @param by the authority, else the certificate's own key */
  async other(names: x509.JsonGeneralNames, usages: string[], by: 'authority' | 'itself'): Promise<Identity> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const issuer = new x509.X509Certificate(this.#issuing.cert_pem);
    const { serial, not_before, not_after } = terms({});
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial,
      subject: [{ CN: ['made by hand'] }],
      issuer: by === 'authority' ? issuer.subjectName : 'CN=made by hand',
      notBefore: not_before,
      notAfter: not_after,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      signingKey: await importKey(by === 'authority' ? this.#issuing.private_key_pem : key),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension(usages),
        new x509.SubjectAlternativeNameExtension(names),
        ...(by === 'authority' ? [new x509.AuthorityKeyIdentifierExtension(keyIdOf(issuer))] : []),
      ],
    });
    return { cert: certificate.toString('pem'), key };
  }
}

const keyIdOf = (issuer: x509.X509Certificate) =>
  issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId ?? expect.unreachable();

const importKey = (pem: string) =>
  webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  );

/** For runtimes that are called without TLS. */
export const noTrust: RuntimeTrust = {
  trust_domain: TRUST_DOMAIN,
  trustBundle: async () => expect.unreachable(),
  isInUse: async () => expect.unreachable(),
};
