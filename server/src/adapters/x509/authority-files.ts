import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { GivenAuthority } from '../../certificates/x509.port.ts';
import type { Config } from '../../config.ts';
import { ConfigError } from '../../platform/setting-values.ts';
import { x509 } from './library.ts';
import { pemBlocks } from './pem.ts';
import { signingMethod } from './signing-keys.ts';

const SIGNS = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;

/** Reads CA_CERT_FILE and CA_KEY_FILE, or throws ConfigError. */
export async function readAuthorityFiles(
  { cert_file, key_file }: NonNullable<Config['ca']>,
  now: Date,
): Promise<GivenAuthority> {
  const chain = readChain(await read('CA_CERT_FILE', cert_file), now);
  const key = readKey(await read('CA_KEY_FILE', key_file));
  const [issuing, root] = [chain[0], chain.at(-1)] as [Certificate, Certificate];
  if (!issuing.node.checkPrivateKey(key)) {
    throw new ConfigError('CA_KEY_FILE has to hold the key of the first certificate of CA_CERT_FILE');
  }
  return {
    ...facts(issuing),
    cert_pem: chain
      .slice(0, -1)
      .map(({ pem }) => pem)
      .join(''),
    private_key_pem: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    root: { ...facts(root), cert_pem: root.pem },
  };
}

interface Certificate {
  pem: string;
  node: X509Certificate;
  parsed: x509.X509Certificate;
}

const facts = ({ parsed }: Certificate) => ({
  serial: parsed.serialNumber,
  not_before: parsed.notBefore,
  not_after: parsed.notAfter,
});

const refused = (why: string) => new ConfigError(`CA_CERT_FILE ${why}`);

/** From the issuing certificate to the root. */
function readChain(text: string, now: Date): Certificate[] {
  const chain = pemBlocks(text, 'CERTIFICATE').map(readCertificate);
  const last = chain.at(-1);
  const above = (index: number) => (chain[index + 1] ?? last) as Certificate;
  const isChain = chain.every((one, index) => isIssuedBy(one.node, above(index).node));
  if (chain.length < 2 || !isChain) {
    throw refused('has to hold the issuing certificate, then those above it, up to the self-signed root');
  }
  if (!chain.every(({ node }) => node.ca)) throw refused('holds a certificate that is no authority’s');
  if (!chain.every(allowsForThoseBelow)) {
    throw refused('holds a certificate whose path length allows for fewer authorities below it');
  }
  if (!chain.every(({ parsed }) => parsed.notBefore <= now && parsed.notAfter > now)) {
    throw refused('holds a certificate that is not valid now');
  }
  const { parsed } = chain[0] as Certificate;
  const usages = parsed.getExtension(x509.KeyUsagesExtension)?.usages ?? 0;
  if ((usages & SIGNS) !== SIGNS || !parsed.getExtension(x509.SubjectKeyIdentifierExtension)) {
    throw refused(
      'has to begin with one that may sign certificates and CRLs and has a subject key identifier',
    );
  }
  return chain;
}

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate) =>
  one.checkIssued(issuer) && one.verify(issuer.publicKey);

/** RFC 5280, section 4.2.1.9. @param below the number of authorities between the certificate and the leaves */
const allowsForThoseBelow = ({ parsed }: Certificate, below: number) =>
  (parsed.getExtension(x509.BasicConstraintsExtension)?.pathLength ?? below) >= below;

function readCertificate(pem: string): Certificate {
  try {
    return { pem, node: new X509Certificate(pem), parsed: new x509.X509Certificate(pem) };
  } catch {
    throw refused('holds a certificate that cannot be read');
  }
}

function readKey(pem: string) {
  try {
    const key = createPrivateKey(pem);
    if (signingMethod(key)) return key;
  } catch {
    // Not rethrown: the error may quote the key.
  }
  throw new ConfigError(
    'CA_KEY_FILE has to hold a private key in PEM, unencrypted: P-256, P-384, Ed25519 or RSA',
  );
}

const read = (name: string, path: string) =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${name} cannot be read: ${error.code} ${path}`);
  });
