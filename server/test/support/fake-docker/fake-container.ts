import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

/** The parts of a create call that the fake acts on. */
export interface Wanted {
  Image: string;
  Env?: string[];
  Labels?: Record<string, string>;
  HostConfig?: { NetworkMode?: string; Mounts?: { Source: string }[]; [name: string]: unknown };
  [name: string]: unknown;
}

const MAX_LOG_BYTES = 1024 * 1024;

/** A container that is a process of the image's command, listening on an address of its own in 127.0.0.0/8. */
export class FakeContainer {
  readonly id = randomBytes(32).toString('hex');
  readonly name: string;
  readonly wanted: Wanted;
  /** By the id of its network. */
  readonly addresses = new Map<string, string>();
  /** It gets them again: its process listens there. */
  readonly formerAddresses = new Map<string, string>();
  status: 'created' | 'running' | 'exited' | 'removing' = 'created';
  exitCode = 0;
  isOutOfMemory = false;
  startedAt = '0001-01-01T00:00:00Z';
  log = Buffer.alloc(0);
  readonly #command: readonly string[];
  #child: ChildProcess | undefined;

  constructor(name: string, wanted: Wanted, command: readonly string[]) {
    this.name = name;
    this.wanted = wanted;
    this.#command = command;
  }

  /** Resolves when the process runs. Rejects where there is no such program. */
  async start(stateDir: string, onEnd: () => void): Promise<void> {
    const [program = '', ...args] = this.#command;
    const entries = (this.wanted.Env ?? []).map((entry) => /^([^=]*)=(.*)$/s.exec(entry)?.slice(1) ?? []);
    const env = { PATH: process.env.PATH, ...Object.fromEntries(entries) };
    const [HOST = '127.0.0.1'] = this.addresses.values();
    const child = spawn(program, args, {
      env: { ...env, HOST, STATE_DIR: stateDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const [stream, output] of [child.stdout, child.stderr].entries()) {
      output.on('data', (text: Buffer) => this.#keep(stream + 1, text));
    }
    await once(child, 'spawn');
    this.#child = child;
    this.status = 'running';
    this.startedAt = new Date().toISOString();
    const closed = Promise.all([
      once(child, 'exit'),
      once(child.stdout, 'close'),
      once(child.stderr, 'close'),
    ]);
    void this.#noteEnd(closed, onEnd);
  }

  async #noteEnd(closed: Promise<[unknown[], ...unknown[]]>, onEnd: () => void): Promise<void> {
    const [[code, signal]] = await closed;
    if (this.status === 'running') this.status = 'exited';
    this.exitCode = (code as number | null) ?? (signal === 'SIGTERM' ? 143 : 137);
    onEnd();
  }

  /** Resolves when it has ended. */
  async end(signal: NodeJS.Signals, graceMs = 0): Promise<void> {
    const child = this.#child;
    if (this.status !== 'running' || !child) return;
    const closed = once(child, 'close');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await closed;
    clearTimeout(timer);
  }

  #keep(stream: number, text: Buffer): void {
    const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
    header.writeUInt32BE(text.length, 4);
    if (this.log.length < MAX_LOG_BYTES) this.log = Buffer.concat([this.log, header, text]);
  }
}
