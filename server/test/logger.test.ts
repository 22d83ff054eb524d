import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const LOGGER = join(import.meta.dirname, '../dist/logger.js');
const NAME = 'Zoë 😀 — “quoted”';

/** What a process that logs `count` lines, one after the other, and ends by `end` has written. */
async function linesOf(count: number, end: string): Promise<{ line: number; name: string }[]> {
  const program = `
    import { pino } from 'pino';
    import { loggerOptions, standardOutput } from ${JSON.stringify(LOGGER)};
    const logger = pino(loggerOptions('info'), standardOutput());
    for (let line = 0; line < ${count}; line++) logger.info({ line, name: ${JSON.stringify(NAME)} }, 'said');
    ${end}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    maxBuffer: 4 * 1024 * 1024,
  });
  const texts = stdout.trimEnd().split('\n');
  return texts.map((text) => JSON.parse(text) as { line: number; name: string });
}

it.each([
  { what: 'several blocks and a rest', count: 2000, end: '' },
  { what: 'what waits when the process is told to exit', count: 20, end: 'process.exit(0);' },
])('writes $what: every line, whole and in order', async ({ count, end }) => {
  const lines = await linesOf(count, end);
  expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: count }, (_, line) => line));
  expect(new Set(lines.map(({ name }) => name))).toEqual(new Set([NAME]));
});
