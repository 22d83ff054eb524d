import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, vi } from 'vitest';
import { run } from '../../src/run.ts';

export const BIN = join(import.meta.dirname, '../../bin/agentctl.js');

export interface Outcome {
  /** Exit code or signal. */
  code: number | string;
  stdout: string;
  stderr: string;
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const home = process.cwd();

export class Workplace {
  readonly directory: string;
  readonly env: Record<string, string>;

  private constructor(directory: string, env: Record<string, string>) {
    this.directory = directory;
    this.env = env;
  }

  static async open(env: Record<string, string> = {}): Promise<Workplace> {
    return new Workplace(await mkdtemp(join(tmpdir(), 'agentctl-')), env);
  }

  /** '' unsets a variable. */
  with(env: Record<string, string>): Workplace {
    return new Workplace(this.directory, { ...this.env, ...env });
  }

  close(): Promise<void> {
    process.chdir(home);
    return rm(this.directory, { recursive: true });
  }

  get profiles(): string {
    return join(this.directory, 'agentctl/config.json');
  }

  async write(name: string, text: string | Buffer): Promise<string> {
    await writeFile(join(this.directory, name), text);
    return name;
  }

  read(name: string): Promise<string> {
    return readFile(join(this.directory, name), 'utf8');
  }

  get environment(): Record<string, string> {
    const { PATH = '' } = process.env;
    return { PATH, HOME: this.directory, XDG_CONFIG_HOME: this.directory, ...this.env };
  }

  /** For tests of signals, concurrency and the program's own path. */
  start(...args: string[]): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [BIN, ...args], { cwd: this.directory, env: this.environment });
  }

  /** In this process, because starting one takes longer. */
  run(...args: string[]): Promise<Outcome> {
    return this.given('', ...args);
  }

  async given(input: string | Buffer, ...args: string[]): Promise<Outcome> {
    process.chdir(this.directory);
    const [stdin, stdout, stderr] = [Readable.from([input]), new Collector(), new Collector()];
    const code = await run(['node', 'agentctl', ...args], this.environment, { stdin, stdout, stderr });
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** Throws unless the command exits with 0 and prints only JSON. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const outcome = await this.run(...args, '--json');
    if (outcome.code !== 0) throw new Error(`agentctl ${args.join(' ')}: ${JSON.stringify(outcome)}`);
    return JSON.parse(outcome.stdout) as T;
  }
}

export async function outcomeOf(child: ChildProcessWithoutNullStreams, input = ''): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that fails early closes standard input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? signal ?? '', stdout, stderr };
}

/** The standard output of a running program. */
export class Transcript {
  text = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #code: Promise<number | string>;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      child.emit('printed');
    });
    this.#code = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  }

  /** Resolves on matching output. Throws when the program ends without it. */
  async shows(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) {
      const code = await Promise.race([once(this.#child, 'printed').then(() => undefined), this.#code]);
      if (code !== undefined && !pattern.test(this.text))
        throw new Error(`It ended with ${code} after printing ${this.text}`);
    }
  }

  /** Exit code or signal. */
  ended(): Promise<number | string> {
    return this.#code;
  }
}

/** Seconds for `--timeout` that no test waits for. */
export const LONG_S = 987;

/**
 * Runs a command that waits for `LONG_S` at most, and lets that time pass when it is time: a test that waited for a short
 * one would fail wherever the machine takes longer for what comes before.
 * @param nth of the command's waits
 */
export async function runOutOfTime(
  command: () => Promise<Outcome>,
  isTime: () => Promise<boolean>,
  nth = 1,
): Promise<Outcome> {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  try {
    const outcome = command();
    const waits = () => timers.mock.calls.filter(([, ms]) => ms === LONG_S * 1000);
    await expect.poll(async () => waits().length >= nth && (await isTime())).toBe(true);
    waits().at(-1)?.[0]();
    return await outcome;
  } finally {
    timers.mockRestore();
  }
}

/** Resolves on matching output. */
export async function waitForOutput(stream: Readable, pattern: RegExp): Promise<string> {
  let output = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (pattern.test(output)) return output;
  }
  throw new Error(`It ended after printing ${output}`);
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
