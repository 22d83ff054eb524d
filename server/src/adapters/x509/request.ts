import {
  constants,
  createHash,
  createPublicKey,
  type KeyObject,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { id_RSASSA_PSS, RsaSaPssParams } from '@peculiar/asn1-rsa';
import { AsnConvert, AsnParser } from '@peculiar/asn1-schema';
import type { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { fromBER } from 'asn1js';
import type { CertificateRequest } from '../../certificates/x509.port.ts';
import { ServiceError } from '../../platform/errors.ts';

/** Contract, section 8. A request with an RSA key of 8192 bits has less than half. */
const MAX_CHARACTERS = 10_000;
/** Java's keytool writes NEW (RFC 7468, section 7). */
const BLOCK =
  /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----\s([^-]*)\s-----END (?:NEW )?CERTIFICATE REQUEST-----/g;
/** As a block of OpenSSL, OpenSSH or PGP, or in words of OpenSSL or PuTTY. */
const PRIVATE_KEY = /-----BEGIN [\w ]*PRIVATE KEY|^[ \t]*Private-(?:Key|Lines):/im;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Against hostile input. A request with ten names and three extensions has 80 nodes. */
const LIMITS = { berOptions: { maxDepth: 32, maxNodes: 1000 } };

const refused = (why: string) => new ServiceError('bad_request', `The CSR is not valid: ${why}`);

/**
 * Reads the key of a PKCS #10 request (RFC 2986) and verifies that the sender has it; else throws bad_request. Names and
 * extensions are ignored, because the service chooses them (contract, section 8).
 */
export async function readRequest(csr_pem: string): Promise<CertificateRequest> {
  const { certificationRequestInfo, certificationRequestInfoRaw, ...request } = parse(csr_pem);
  const key = certifiableKey(Buffer.from(AsnConvert.serialize(certificationRequestInfo.subjectPKInfo)));
  if (!key) throw refused('its key has to be P-256, P-384, Ed25519 or RSA of 2048 to 8192 bits');
  const method = signatureMethod(request.signatureAlgorithm);
  if (!method) throw refused('it has to be signed with SHA-256, SHA-384, SHA-512 or Ed25519');
  const signed = {
    bytes: Buffer.from(certificationRequestInfoRaw ?? new ArrayBuffer()),
    signature: Buffer.from(request.signature),
  };
  if (!(await isSigned(signed, key, method))) throw refused('its signature is not that of its key');
  const public_key_spki = key.export({ type: 'spki', format: 'der' });
  return { public_key_spki, public_key_sha256: createHash('sha256').update(public_key_spki).digest() };
}

function parse(csr_pem: string): CertificationRequest {
  if (PRIVATE_KEY.test(csr_pem))
    throw refused('a private key came with it. Make a new key, and send the request alone');
  const der = onlyBlock(csr_pem);
  if (!der)
    throw refused(`it has to have one PEM block CERTIFICATE REQUEST in at most ${MAX_CHARACTERS} characters`);
  try {
    const { offset, result } = fromBER(der, LIMITS.berOptions);
    if (offset === der.length) return AsnParser.fromASN(result, CertificationRequest, LIMITS);
  } catch {
    // The library throws for any other structure.
  }
  throw refused('it cannot be read as PKCS #10');
}

/**
 * Text around the block is passed over (RFC 7468, section 2). Checks length and form in linear time before anything decodes
 * the text.
 */
function onlyBlock(pem: string): Buffer | undefined {
  if (pem.length > MAX_CHARACTERS) return undefined;
  const [block, ...others] = [...pem.matchAll(BLOCK)];
  const base64 = block?.[1]?.replaceAll(/\s/g, '') ?? '';
  return others.length === 0 && BASE64.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

/**
 * Prefixes of a SubjectPublicKeyInfo on P-256 or P-384, with a named curve and an uncompressed or compressed point (RFC
 * 5480, section 2). OpenSSL's strict checks refuse certificates with explicit curve parameters.
 */
const EC_FORMS = [
  '3059301306072a8648ce3d020106082a8648ce3d03010703420004',
  '3039301306072a8648ce3d020106082a8648ce3d03010703220002',
  '3039301306072a8648ce3d020106082a8648ce3d03010703220003',
  '3076301006072a8648ce3d020106052b8104002203620004',
  '3046301006072a8648ce3d020106052b8104002203320002',
  '3046301006072a8648ce3d020106052b8104002203320003',
].map((hex) => Buffer.from(hex, 'hex'));
const RSA_BITS = { min: 2048, max: 8192 };

/** undefined for a key of a kind that the service does not certify (contract, section 8). */
function certifiableKey(spki: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: spki, type: 'spki', format: 'der' });
    return isAllowed(key, spki) ? key : undefined;
  } catch {
    // Unknown or malformed.
    return undefined;
  }
}

function isAllowed(key: KeyObject, spki: Buffer): boolean {
  const { asymmetricKeyType: type } = key;
  // Not asymmetricKeyDetails, which crashes Node 20.20 for a point at infinity.
  if (type === 'ec') return EC_FORMS.some((form) => spki.subarray(0, form.length).equals(form));
  if (type !== 'rsa') return type === 'ed25519';
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = key.asymmetricKeyDetails ?? {};
  return bits >= RSA_BITS.min && bits <= RSA_BITS.max && isSaneExponent(exponent);
}

/** Odd and from 2^16 to 2^256 (FIPS 186-5, section A.1.1): with 1 every message is its own signature. */
const isSaneExponent = (exponent: bigint) =>
  exponent % 2n === 1n && exponent > 2n ** 16n && exponent < 2n ** 256n;

interface SignatureMethod {
  /** Node's asymmetricKeyType. */
  kind: 'ec' | 'rsa' | 'ed25519';
  /** undefined for Ed25519, which includes the digest. */
  digest: string | undefined;
  /** For RSA-PSS only. */
  saltLength?: number;
}

/** By object identifier (RFC 5758, RFC 4055, RFC 8410). */
const METHODS: Readonly<Record<string, SignatureMethod>> = {
  '1.2.840.10045.4.3.2': { kind: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { kind: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { kind: 'ec', digest: 'sha512' },
  '1.2.840.113549.1.1.11': { kind: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa', digest: 'sha512' },
  '1.3.101.112': { kind: 'ed25519', digest: undefined },
};
const PSS_DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const MAX_SALT_LENGTH = 0x7fff;

/** undefined for an outdated or unknown algorithm. */
function signatureMethod({ algorithm, parameters }: AlgorithmIdentifier): SignatureMethod | undefined {
  return algorithm === id_RSASSA_PSS ? pssMethod(parameters) : METHODS[algorithm];
}

/** RSASSA-PSS-params (RFC 4055, section 3.1). Verifying the signature checks the mask function. */
function pssMethod(parameters: ArrayBuffer | null | undefined): SignatureMethod | undefined {
  if (!parameters) return undefined;
  try {
    const { hashAlgorithm, saltLength } = AsnConvert.parse(parameters, RsaSaPssParams, LIMITS);
    const digest = PSS_DIGESTS[hashAlgorithm.algorithm];
    // OpenSSL treats negative lengths specially. Above 32 bits the library returns a string, and Node would throw.
    const isLength = Number.isInteger(saltLength) && saltLength >= 0 && saltLength <= MAX_SALT_LENGTH;
    return digest && isLength ? { kind: 'rsa', digest, saltLength } : undefined;
  } catch {
    return undefined;
  }
}

/** On libuv's thread pool, not on the event loop. */
function isSigned(
  { bytes, signature }: { bytes: Buffer; signature: Buffer },
  key: KeyObject,
  { kind, digest, saltLength }: SignatureMethod,
): Promise<boolean> {
  if (key.asymmetricKeyType !== kind) return Promise.resolve(false);
  const by: VerifyKeyObjectInput =
    saltLength === undefined ? { key } : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  return new Promise((resolve) => {
    verify(digest, bytes, by, signature, (error, isRight) => resolve(!error && isRight));
  });
}
