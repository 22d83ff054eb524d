// As much DER (X.690) as revocation lists need; see docs/decisions/0016-x509-der.md.

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const hex = length.toString(16);
  const octets = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | octets.length), octets, content]);
}

export const sequence = (...parts: Buffer[]) => element(0x30, Buffer.concat(parts));
export const explicit = (number: number, content: Buffer) => element(0xa0 | number, content);
export const octetString = (content: Buffer) => element(0x04, content);
export const bitString = (content: Buffer) => element(0x03, Buffer.concat([Buffer.of(0), content]));
export const enumerated = (value: number) => element(0x0a, Buffer.of(value));

/** @param hex a number that is not negative */
export function integer(hex: string): Buffer {
  const digits = hex.replace(/^0+(?=.)/, '');
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return element(0x02, Buffer.from(/^[89a-f]/i.test(even) ? `00${even}` : even, 'hex'));
}

/** UTCTime up to 2049, then GeneralizedTime (RFC 5280, section 4.1.2.5). */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replace(/\..*|[-:T]/g, '')}Z`;
  return at.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(text.slice(2)))
    : element(0x18, Buffer.from(text));
}
