import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServerProcess } from '../../test/server-process.ts';

const CLOSED = 'closed';
const MAIN = join(import.meta.dirname, '../dist/main.js');

class DemoProcess {
  output = '';
  errors = '';
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;

  constructor(DATA_DIR: string) {
    const child = spawn(process.execPath, [MAIN], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, DATA_DIR },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
      child.emit('output');
    });
    child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.#child = child;
    this.#exit = once(child, 'close');
  }

  async waitForOutput(text: string): Promise<void> {
    while (!this.output.includes(text)) await once(this.#child, 'output');
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  /** The exit code or signal. */
  async end(): Promise<unknown> {
    const [code, signal] = await this.#exit;
    return code ?? signal;
  }
}

describe('the demo', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.inNewDirectory();
    await server.start();
  });
  afterAll(() => server.remove());

  it('runs from a new customer to an answer, and leaves no process behind', async () => {
    const demo = new DemoProcess(server.dataDir);
    expect(await demo.end(), demo.output + demo.errors).toBe(0);
    expect(demo.output).toMatch(/not ready, connections needed: chatapp \(missing\)/);
    expect(demo.output).toMatch(/provisioning → running/);
    expect(demo.output).toMatch(/╭─ agent ─[^]*I can do this:[^]*• who can[^]*╭─ you ─[^]*who can forklift/);
    expect(demo.output).toMatch(/terminating → terminated/);
    expect(demo.output).toMatch(
      /npx agentctl deploy "Crew assistant \w+" --customer \S+ --hostname (\S+) --wait\n {4}npx agentctl chat \1\n/,
    );
    expect(demo.output).not.toContain('\u001b');
    expect(demo.errors).toBe('');
    expect(server.runtimes()).toEqual([]);
  });

  it('cleans up when it is interrupted', async () => {
    const demo = new DemoProcess(server.dataDir);
    await demo.waitForOutput('start_runtime');
    demo.interrupt();
    expect(await demo.end()).toBe(1);
    expect(demo.errors).toMatch(/^ {2}✗ [^\n]+: Interrupted\n$/);
    expect(demo.output).toMatch(/instance {3}\S+, being terminated/);
    await vi.waitFor(() => expect(server.runtimes()).toEqual([]), { timeout: 180_000, interval: 50 });
  });

  it('leaves a server that exits with 0 and without runtimes', async () => {
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.runtimes()).toEqual([]);
  });
});

describe('a demo that cannot start', () => {
  let dataDir: string;
  let closed: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'acp-demo-'));
    closed = await closedAddress();
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  const complete = {
    base_url: 'http://127.0.0.1:8080',
    operations_token: 'o',
    api_key: 'k',
    admin: { email: 'a@example.com', password: 'p' },
  };

  it.each([
    [
      'without credentials',
      undefined,
      /There is no \S+credentials\.json: start the server with "npm start" .*without DATABASE_URL/,
    ],
    ['with an incomplete file', { api_key: undefined }, /is not valid: remove its directory/],
    ['without a lost key', { api_key: null, admin: null }, /have no API key: .* empty DATA_DIR/],
    ['before the server listens', { base_url: '' }, /has no address yet: start the server with "npm start"/],
    ['without a server', { base_url: CLOSED }, /No server answers at \S+: start it with "npm start"/],
  ])('explains in one line what to do: %s', async (_when, change, message) => {
    const text = JSON.stringify({ ...complete, ...change }).replace(CLOSED, closed);
    if (change) await writeFile(join(dataDir, 'credentials.json'), text);
    const demo = new DemoProcess(dataDir);
    expect(await demo.end()).toBe(1);
    expect(demo.errors).toMatch(message);
    expect(demo.errors.trim().split('\n')).toHaveLength(1);
  });
});

async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
