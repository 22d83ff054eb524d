import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** As many as the control plane may still have on their way, and far more. */
const kept = 10_000;

/** The messages that were answered, which a copy that comes after a restart must not be again. */
export interface Answered {
  has: (key: string) => boolean;
  /** Resolves when the disk has it. */
  add: (key: string) => Promise<void>;
}

/** In memory alone. */
export function rememberNothing(): Answered {
  return { has: () => false, add: () => Promise.resolve() };
}

/** An id may hold a phone number, and a set of ids is long. */
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32);

/** Keeps them in a file of the directory: a line is appended for each, and a start leaves the last ten thousand. */
export function createAnswered(directory: string): Answered {
  const path = join(directory, 'answered');
  const digests = new Set(readLines(path).slice(-kept));
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
    // The oldest comes first.
    for (const oldest of digests) {
      if (digests.size <= kept) break;
      digests.delete(oldest);
    }
    lines += 1;
    if (lines > 2 * kept) lines = rewrite(path, digests);
  }

  let lines = digests.size;
  return {
    has: (key) => digests.has(digestOf(key)),
    add(key) {
      // One after the other, because a rewrite replaces the file.
      last = last.catch(() => undefined).then(() => append(digestOf(key)));
      return last;
    },
  };
}

/** Whole lines alone: a kill may leave half of one. */
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
