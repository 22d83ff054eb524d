import type { Recording } from './transcriber.port.ts';

/** Bytes of a second of the lowest usual rates, so that lengths are rather too long. */
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { 'audio/amr': 600, 'audio/wav': 8000 };
const LEAST_BYTES_PER_SECOND = 1000;
/** Opus has no higher rate. */
const MOST_BYTES_PER_SECOND = 64_000;

const OPUS_RATE = 48_000;
const GRANULE_AT = 6;
const MOST_SECONDS = 86_400;

/** Whole seconds, at least one. Exact for Opus, as voice notes are; else estimated from the size. */
export function audioSeconds({ bytes, mime_type }: Recording): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = mime_type?.split(';')[0]?.trim() ?? '';
  const byRate = buffer.length / (BYTES_PER_SECOND[type] ?? LEAST_BYTES_PER_SECOND);
  const told = oggSeconds(buffer);
  // The header is the sender's own word.
  const seconds = told === undefined ? byRate : Math.max(told, buffer.length / MOST_BYTES_PER_SECOND);
  return Math.min(MOST_SECONDS, Math.max(1, Math.ceil(seconds)));
}

/** The place of the last page (RFC 3533); undefined for other formats. */
function oggSeconds(buffer: Buffer): number | undefined {
  if (buffer.subarray(0, 4).toString('latin1') !== 'OggS') return undefined;
  const page = buffer.lastIndexOf('OggS');
  if (page + GRANULE_AT + 8 > buffer.length) return undefined;
  const granule = buffer.readBigInt64LE(page + GRANULE_AT);
  return granule < 0n ? undefined : Number(granule) / OPUS_RATE;
}
