/**
 * Checks commit subjects (at most 72 characters) and counts comments that begin with a pronoun or question word.
 * Prints a line for each fault.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const MAX_SUBJECT = 72;
/** Earlier subjects stay as they are. */
const FIRST_CHECKED_AFTER = 'f2c7d041edb9375f397472d20291e5ac2554079d';
/** May only be lowered. */
const MAX_OPENINGS = Number(readFileSync(new URL('comment-openings.txt', import.meta.url), 'utf8'));
const OPENING = /^\s*(?:\/\/|\/\*\*?|\*)\s+(?:What|Who|Whom|Whose|Whether|Of)\b/;
const CODE = /\.(?:tsx?|mjs|css|sql|sh)$/;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');

function longSubjects() {
  // Shallow clones may lack that commit.
  if (!git('rev-list', 'HEAD').includes(FIRST_CHECKED_AFTER)) return [];
  return git('log', '--format=%h %s', `${FIRST_CHECKED_AFTER}..HEAD`).filter(
    (line) => line.length > MAX_SUBJECT + line.indexOf(' ') + 1,
  );
}

const isCode = (file) => CODE.test(file) && !file.includes('generated') && existsSync(file);

function openings() {
  const found = [];
  for (const file of git('ls-files').filter(isCode)) {
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      // A line inside a comment may begin with any word.
      if (OPENING.test(line) && !/^\s*\*\s/.test(line)) found.push(`${file}:${index + 1}: ${line.trim()}`);
    }
  }
  return found;
}

const faults = longSubjects().map((line) => `The subject is longer than ${MAX_SUBJECT} characters: ${line}`);
const comments = openings();
if (comments.length > MAX_OPENINGS) {
  faults.push(
    `${comments.length} comments begin without their subject, at most ${MAX_OPENINGS} may:`,
    ...comments,
  );
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`Commit subjects are short; ${comments.length} comments begin without their subject.\n`);
