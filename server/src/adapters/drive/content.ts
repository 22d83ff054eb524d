import { isUtf8 } from 'node:buffer';
import type { DriveContent } from '../../drive/drive.port.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';

/** Contract, section 7. */
export const MAX_CONTENT_BYTES = 10 * 1024 * 1024;

export const tooLarge = () => new ServiceError('payload_too_large', 'The file is larger than 10 MiB');

export const driveFailure = (message: string) => new ServiceError('bad_gateway', message);

/** For folders, forms and sites. */
export const nothingToRead = () => invalid(['path', 'file_id'], 'A file of this kind has no content to read');

/** Throws `overLimit()` as soon as the stream exceeds `limit` bytes. */
export async function readUpTo(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
  overLimit: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    // Leaving the loop also ends the transfer.
    if (length > limit) throw overLimit();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** Content with NUL bytes counts as binary, although it may be valid UTF-8. */
export function toContent(bytes: Buffer): Pick<DriveContent, 'size' | 'encoding' | 'content'> {
  const encoding = isUtf8(bytes) && !bytes.includes(0) ? 'utf-8' : 'base64';
  return { size: bytes.length, encoding, content: bytes.toString(encoding) };
}
