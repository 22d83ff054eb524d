import { createPublicKey, type KeyObject, sign } from 'node:crypto';

/** As much DER (X.690) as a request needs. A library would cost each runtime memory and start time. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthOctets = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthOctets), content]);
}

const sequence = (...parts: Buffer[]) => element(0x30, ...parts);
const versionZero = element(0x02, Buffer.of(0));
const noAttributes = element(0xa0);
/** 1.2.840.10045.4.3.2 (RFC 5758, section 3.2). */
const ecdsaWithSha256 = sequence(element(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

/** PKCS #10 (RFC 2986) in PEM. The subject is empty, because the control plane chooses it. @param privateKey P-256 */
export function createCsr(privateKey: KeyObject): string {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const noName = sequence();
  const information = sequence(versionZero, noName, publicKey, noAttributes);
  const signature = element(0x03, Buffer.of(0), sign('sha256', information, privateKey));
  const base64 = sequence(information, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}
