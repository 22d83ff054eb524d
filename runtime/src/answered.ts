import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Far more than the control plane may still deliver again. */
const maxKept = 10_000;

/** Messages that were answered. After a restart, copies of them must not be answered again. */
export interface Answered {
  has: (key: string) => boolean;
  /** Resolves when it is on the disk. */
  add: (key: string) => Promise<void>;
}

/** Without a STATE_DIR. */
export function rememberNothing(): Answered {
  return { has: () => false, add: () => Promise.resolve() };
}

/** Ids may contain phone numbers, and those of a burst are long. */
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32);

/** Appends a line per message to a file, and shortens it at times. */
export function createAnswered(directory: string): Answered {
  const path = join(directory, 'answered');
  const digests = new Set(readLines(path).slice(-maxKept));
  if (existsSync(path)) rewrite(path, digests);
  let last = Promise.resolve();

  async function append(digest: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      await file.write(`${digest}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    digests.add(digest);
    // A set iterates in insertion order.
    for (const oldest of digests) {
      if (digests.size <= maxKept) break;
      digests.delete(oldest);
    }
    lines += 1;
    if (lines > 2 * maxKept) lines = rewrite(path, digests);
  }

  let lines = digests.size;
  return {
    has: (key) => digests.has(digestOf(key)),
    add(key) {
      // One at a time, because a rewrite replaces the file.
      last = last.catch(() => undefined).then(() => append(digestOf(key)));
      return last;
    },
  };
}

/** Only complete lines: a kill may leave half of one. */
function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').match(/^[0-9a-f]{32}$/gm) ?? [];
  } catch {
    return [];
  }
}

function rewrite(path: string, digests: ReadonlySet<string>): number {
  const text = [...digests].map((digest) => `${digest}\n`).join('');
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return digests.size;
}
