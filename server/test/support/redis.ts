import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../../bench/src/ports.ts';

export class TestRedis {
  readonly url: string;
  readonly #port: number;
  readonly #directory: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, directory: string) {
    this.url = `redis://127.0.0.1:${port}`;
    this.#port = port;
    this.#directory = directory;
  }

  static async create(): Promise<TestRedis> {
    return new TestRedis(await freePort(), await mkdtemp(join(tmpdir(), 'acp-redis-')));
  }

  async start(): Promise<void> {
    const settings = [
      '--port',
      String(this.#port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      this.#directory,
    ];
    const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('Ready to accept connections')) break;
    }
    child.stdout.resume();
  }

  /** It accepts connections without answering. */
  hang(): void {
    this.#child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true });
  }
}
