import { expect, it, vi } from 'vitest';
import { type ControlPlane, ControlPlaneError } from '../src/control-plane.ts';
import { LogLines } from '../src/log-lines.ts';

/** Takes or refuses each request in turn; afterwards it takes all. */
function startTaking(...errors: (ControlPlaneError | undefined)[]) {
  let time = Date.parse('2026-11-20T09:00:00.000Z');
  const asked: string[][] = [];
  const controlPlane: ControlPlane = async (method, path, { body } = {}) => {
    expect([method, path]).toEqual(['POST', '/logs']);
    asked.push((body as { lines: string[] }).lines);
    const error = errors.shift();
    if (error) throw error;
  };
  const lines = new LogLines(
    () => time,
    () => 0,
  );
  const advance = (ms: number) => (time += ms);
  return { asked, lines, controlPlane, advance, takes: () => lines.sendBy(controlPlane) };
}

it('sends lines once a second, without their ends', async () => {
  vi.useFakeTimers();
  try {
    const { asked, lines, takes } = startTaking();
    takes();
    lines.add('{"event":"one"}\n');
    lines.add('{"event":"two"}\n');
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toEqual([['{"event":"one"}', '{"event":"two"}']]);
  } finally {
    vi.useRealTimers();
  }
});

it('keeps the newest 1,000 lines until somebody takes them, and says how many are missing', async () => {
  const { asked, lines, takes } = startTaking();
  for (let n = 1; n <= 1250; n += 1) lines.add(`line ${n}`);
  await lines.flush();
  takes();
  await lines.flush();
  // A request has at most 1,000 lines.
  expect(asked.map(({ length }) => length)).toEqual([1000, 1]);
  const [note = '', ...rest] = asked.flat();
  expect(JSON.parse(note)).toMatchObject({ level: 'warn', event: 'log_lines_dropped', lines: 250 });
  expect([rest.length, rest[0], rest.at(-1)]).toEqual([1000, 'line 251', 'line 1250']);
});

it('sends the same lines again after a failure, when it is time', async () => {
  const failures = [new ControlPlaneError(0), new ControlPlaneError(429, '', { retryAfterSeconds: 30 })];
  const { asked, lines, takes, advance } = startTaking(...failures);
  takes();
  lines.add('first');
  await lines.flush();
  lines.add('second');
  await lines.flush();
  expect(asked).toEqual([['first']]);
  advance(1000);
  await lines.flush();
  expect(asked).toEqual([['first'], ['first', 'second']]);
  advance(29_000);
  await lines.flush();
  expect(asked).toHaveLength(2);
  advance(1000);
  await lines.flush();
  expect(asked.at(-1)).toEqual(['first', 'second']);
});

it('loses the oldest of the lines that came while a request failed', async () => {
  const { asked, lines, takes, advance } = startTaking(new ControlPlaneError(503));
  takes();
  for (let n = 1; n <= 1000; n += 1) lines.add(`line ${n}`);
  const flushed = lines.flush();
  lines.add('one more');
  await flushed;
  advance(1000);
  await lines.flush();
  const [note = '', ...rest] = asked.slice(1).flat();
  expect(JSON.parse(note)).toMatchObject({ lines: 1 });
  expect([rest.length, rest[0], rest.at(-1)]).toEqual([1000, 'line 2', 'one more']);
});

it('does not send lines again that were refused for what they are', async () => {
  const { asked, lines, takes, advance } = startTaking(new ControlPlaneError(422));
  takes();
  lines.add('refused');
  await lines.flush();
  lines.add('another');
  advance(1000);
  await lines.flush();
  expect(JSON.parse(asked[1]?.[0] ?? '')).toMatchObject({ event: 'log_lines_dropped', lines: 1 });
  expect(asked[1]?.slice(1)).toEqual(['another']);
});

it('cuts long lines, and parts what does not fit into one request', async () => {
  const { asked, lines, takes } = startTaking();
  takes();
  for (let n = 0; n < 1000; n += 1) lines.add('\u0001'.repeat(10_000));
  await lines.flush();
  expect(asked.flat().map(({ length }) => length)).toEqual(Array.from({ length: 1000 }, () => 4000));
  const bytes = asked.map((body) => Buffer.byteLength(JSON.stringify({ lines: body })));
  expect(Math.max(...bytes)).toBeLessThan(257 * 1024);
});
