import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const PIECE_BYTES = 16 * 1024 * 1024;
/** Longer than any secret, so that none is cut in two. */
const OVERLAP_BYTES = 4096;

/**
 * The writable memory of a process in overlapping pieces (Linux, as root). Regions that are freed meanwhile are left
 * out.
 */
export function* memoryOf(pid: number): Generator<Buffer> {
  const file = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += PIECE_BYTES) {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES + OVERLAP_BYTES, end - at));
        try {
          yield piece.subarray(0, readSync(file, piece, 0, piece.length, at));
        } catch (error) {
          if (!['EIO', 'EFAULT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        }
      }
    }
  } finally {
    closeSync(file);
  }
}
