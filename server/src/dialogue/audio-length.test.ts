import { expect, it } from 'vitest';
import { audioSeconds } from './audio-length.ts';

function page(granule: number): Buffer {
  const header = Buffer.alloc(27);
  header.write('OggS');
  header.writeBigInt64LE(BigInt(granule), 6);
  return header;
}

const ogg = (...granules: number[]) => Buffer.concat([...granules.map(page), Buffer.alloc(100)]);

it.each([
  ['the last page of Opus', ogg(0, 48_000, 48_000 * 7.5), 'audio/ogg; codecs=opus', 8],
  ['no less than the size needs', Buffer.concat([page(1), Buffer.alloc(640_000)]), 'audio/ogg', 11],
  ['no place', ogg(-1), 'audio/ogg', 1],
  ['AMR', Buffer.alloc(6000), 'audio/amr', 10],
  ['another format', Buffer.alloc(6000), 'audio/mpeg', 6],
  ['nothing', Buffer.alloc(0), null, 1],
  ['a cut page', Buffer.from('OggS'), 'audio/ogg', 1],
  ['an absurd place', ogg(Number.MAX_SAFE_INTEGER), 'audio/ogg', 86_400],
])('reads %s', (_, bytes, mime_type, seconds) => {
  expect(audioSeconds({ bytes, mime_type })).toBe(seconds);
});
