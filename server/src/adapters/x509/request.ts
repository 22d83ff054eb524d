import { createHash } from 'node:crypto';
import type { CertificateRequest } from '../../certificates/x509.port.ts';
import { ServiceError } from '../../platform/errors.ts';
import { elementsTagged } from './der-reader.ts';
import { certifiableKey } from './request-key.ts';
import { isSigned, type Signed, signatureMethod } from './request-signature.ts';

/** Contract, section 8; an 8192-bit RSA request has less than half of it. */
const MAX_CHARACTERS = 10_000;
/** Java's keytool writes NEW (RFC 7468, section 7). */
const BEGIN = /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----\s/;
const END = /\s-----END (?:NEW )?CERTIFICATE REQUEST-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const ATTRIBUTES = 0xa0;

const refused = (why: string) => new ServiceError('bad_request', `The CSR is not valid: ${why}`);

/** As much of a CertificationRequest as counts here (RFC 2986, section 4). */
interface Parts extends Signed {
  /** SubjectPublicKeyInfo, DER. */
  spki: Buffer;
  /** What an AlgorithmIdentifier contains. */
  algorithm: Buffer;
}

/**
 * The key of a PKCS #10 request whose sender proved to hold it (RFC 2986), else ServiceError bad_request. Which names
 * and extensions it asks for is never read: they are not the sender's to say (contract, section 8), and the library
 * takes up to half a second of the event loop for what can be put there.
 */
export async function readRequest(csr_pem: string): Promise<CertificateRequest> {
  const { spki, algorithm, ...signed } = parse(csr_pem);
  const key = certifiableKey(spki);
  if (!key) throw refused('its key has to be P-256, P-384, Ed25519 or RSA of 2048 to 8192 bits');
  const method = signatureMethod(algorithm);
  if (!method) throw refused('it has to be signed with SHA-256, SHA-384, SHA-512 or Ed25519');
  if (!(await isSigned(signed, key, method))) throw refused('its signature is not that of its key');
  const public_key_spki = key.export({ type: 'spki', format: 'der' });
  return { public_key_spki, public_key_sha256: createHash('sha256').update(public_key_spki).digest() };
}

function parse(csr_pem: string): Parts {
  const der = onlyBlock(csr_pem);
  if (!der)
    throw refused(`it has to be one PEM block CERTIFICATE REQUEST of at most ${MAX_CHARACTERS} characters`);
  const parts = partsOf(der);
  if (!parts) throw refused('it cannot be read as PKCS #10');
  return parts;
}

/** Bounded and looked at in linear time before anything reads it: a large or strange text costs nothing. */
function onlyBlock(pem: string): Buffer | undefined {
  if (pem.length > MAX_CHARACTERS) return undefined;
  const text = pem.trim();
  if (!BEGIN.test(text) || !END.test(text)) return undefined;
  const base64 = text.replace(BEGIN, '').replace(END, '').replaceAll(/\s/g, '');
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

function partsOf(der: Buffer): Parts | undefined {
  const [request] = elementsTagged(der, SEQUENCE);
  const [information, algorithm, bits] = elementsTagged(request?.content, SEQUENCE, SEQUENCE, BIT_STRING);
  const withoutAttributes = [INTEGER, SEQUENCE, SEQUENCE];
  const [, , key] = [
    ...elementsTagged(information?.content, ...withoutAttributes, ATTRIBUTES),
    // Some leave them out where there are none.
    ...elementsTagged(information?.content, ...withoutAttributes),
  ];
  // A signature is whole octets: of the last one no bit is unused.
  if (!information || !algorithm || !key || bits?.content[0] !== 0) return undefined;
  return {
    spki: key.whole,
    algorithm: algorithm.content,
    bytes: information.whole,
    signature: bits.content.subarray(1),
  };
}
