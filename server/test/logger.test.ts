import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { forTerminal, loggerOptions } from '../src/platform/logger.ts';

const run = promisify(execFile);
const LOGGER = join(import.meta.dirname, '../dist/platform/logger.js');
const NAME = 'Zoë 😀 — “quoted”';

/** The output of a process that logs `count` lines and ends by `end`. */
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

it('keeps no more than some megabytes of lines for which there is no room', async () => {
  const program = `
    import { pino } from 'pino';
    import { loggerOptions, standardOutput } from ${JSON.stringify(LOGGER)};
    const logger = pino(loggerOptions('info'), standardOutput());
    for (let line = 0; line < 4000; line++) {
      logger.info('x'.repeat(16_384));
      if (line % 100 === 0) await new Promise(setImmediate);
    }
    globalThis.gc();
    console.error(process.memoryUsage().arrayBuffers);`;
  const node = `'${process.execPath}' --expose-gc --input-type=module --eval "$1" > /dev/full`;
  const { stderr } = await run('sh', ['-c', node, 'sh', program], { cwd: import.meta.dirname });
  expect(Number(stderr)).toBeLessThan(32 * 1024 * 1024);
});

it('escapes what terminals act on, also in what libraries write to the console', async () => {
  const raw = 'x\u001b]0;pwned\u0007\n{"msg":"FORGED"}\u009b31m\u202e';
  const program = `
    import { pino } from 'pino';
    import { logConsole, loggerOptions, standardOutput } from ${JSON.stringify(LOGGER)};
    const logger = pino(loggerOptions('info'), standardOutput());
    logConsole(logger);
    console.warn(${JSON.stringify(raw)}, { a: 1 });
    console.error(${JSON.stringify(raw)});
    logger.info({ text: ${JSON.stringify(raw)} }, 'said');`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
  expect(lines).toEqual([`${raw} { a: 1 }`, raw, raw]);
});

const logged = (err: unknown) => {
  const lines: string[] = [];
  pino(loggerOptions('info'), { write: (line) => void lines.push(line) }).error({ err }, 'failed');
  expect(lines).toHaveLength(1);
  return lines[0] as string;
};

describe('of an error', () => {
  /** As pg and its pool make them. */
  const properties = {
    code: '23502',
    detail: 'Failing row contains (hunter2)',
    client: { processID: 1, secretKey: 'hunter2', connectionParameters: { user: 'hunter2' } },
  };
  const refused = Object.assign(new Error('null value in column "name"'), properties);

  it('its name, words, code, place and cause are written', () => {
    const line = logged(new TypeError('it did not work', { cause: refused }));
    expect(JSON.parse(line)).toMatchObject({ err: { type: 'TypeError' } });
    expect(line).toContain('it did not work: null value in column');
    expect(line).toContain('logger.test.ts');
    expect(JSON.parse(logged(refused))).toMatchObject({ err: { code: '23502' } });
  });

  it('those that it is made of are named', () => {
    const refusals = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
    const { err } = JSON.parse(logged(new AggregateError(refusals))) as { err: { errors: string[] } };
    expect(err.errors).toEqual(['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432']);
  });

  it.each([
    ['the row that was refused and the connection’s key', refused],
    ['those of its cause', new Error('it did not work', { cause: refused })],
    [
      'those of a copy, as the job queue makes',
      { message: refused.message, stack: refused.stack, ...properties },
    ],
  ])('%s are not', (_what, error) => {
    const line = logged(error);
    expect(line).toContain('null value in column');
    expect(line).not.toContain('hunter2');
  });
});

describe('on a terminal', () => {
  const shown: string[] = [];
  const logger = pino(loggerOptions('info'), { write: (line) => shown.push(forTerminal(line)) });

  it('a request is a short line, and other lines name their fields', () => {
    const fields = { operation: 'create_recipe', method: 'POST', status: 201, duration_ms: 12.1 };
    logger.info({ reqId: 'r', ...fields }, 'request');
    logger.warn({ reqId: 'r', err: new Error('no\u009b way'), password: 'p' }, 'it failed');
    expect(shown).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d POST create_recipe 201 12\.1 ms\n$/),
      expect.stringMatching(/^\S+ warn it failed password="p" error="no\\u009b way" reqId="r"\n$/),
    ]);
  });
});
