import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject, vi } from 'vitest';
import { copyDataDir } from '../server/test/support/data-dir.ts';

const ROOT = join(import.meta.dirname, '..');
const MAIN = join(ROOT, 'server/dist/main.js');

export interface Credentials {
  base_url: string;
  mtls_url: string;
  operations_token: string;
  tenant_id: string;
  admin: { email: string; password: string };
  api_key: string;
}

export class ServerProcess {
  readonly dataDir: string;
  #child: ChildProcess | undefined;
  #uid: number | undefined;
  output = '';

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static in(dataDir: string): ServerProcess {
    return new ServerProcess(dataDir);
  }

  /** Its database is migrated already, which saves a second. */
  static async inNewDirectory(): Promise<ServerProcess> {
    const server = await ServerProcess.inEmptyDirectory();
    const migrated = inject('dataDir');
    if (migrated !== '') await copyDataDir(migrated, server.dataDir);
    return server;
  }

  static async inEmptyDirectory(): Promise<ServerProcess> {
    return ServerProcess.in(realpathSync(await mkdtemp(join(tmpdir(), 'acp-server-'))));
  }

  /** Rejects with the output when the server ends before it is ready. */
  async start(environment: Record<string, string> = {}): Promise<Credentials> {
    await this.startServed(environment);
    return this.#credentials();
  }

  async startByNpm(): Promise<Credentials> {
    await this.#untilReady('npm', ['run', '--ignore-scripts', 'start'], {});
    return this.#credentials();
  }

  async #credentials(): Promise<Credentials> {
    return JSON.parse(await readFile(join(this.dataDir, 'credentials.json'), 'utf8')) as Credentials;
  }

  /** On a server database, which has no credentials. @param main of another build */
  startServed(environment: Record<string, string>, main = MAIN): Promise<void> {
    return this.#untilReady(process.execPath, [main], environment);
  }

  async #untilReady(program: string, args: string[], environment: Record<string, string>): Promise<void> {
    this.output = '';
    const child = spawn(program, args, {
      cwd: ROOT,
      env: this.#environment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(this.#uid !== undefined && { uid: this.#uid, gid: this.#uid }),
    });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.output += `${line}\n`;
        if (line.includes('is ready at')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${this.output}`)));
    });
  }

  /** For servers whose output nobody reads. */
  async startWithOutput(output: number | 'closed pipe'): Promise<Credentials> {
    const to = output === 'closed pipe' ? 'pipe' : output;
    const child = spawn(process.execPath, [MAIN], {
      env: this.#environment({ LOG_LEVEL: 'info' }),
      stdio: ['ignore', to, to],
    });
    this.#child = child;
    child.stdout?.destroy();
    child.stderr?.destroy();
    const path = join(this.dataDir, 'credentials.json');
    await vi.waitUntil(() => existsSync(path) || child.exitCode !== null, { timeout: 180_000 });
    return JSON.parse(await readFile(path, 'utf8')) as Credentials;
  }

  #environment(more: Record<string, string>): Record<string, string | undefined> {
    const { PATH } = process.env;
    return { PATH, DATA_DIR: this.dataDir, PORT: '0', MTLS_PORT: '0', LOG_LEVEL: 'warn', ...more };
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  /** Exit code or signal. */
  async end(signal: 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): Promise<number | string> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode) return child?.exitCode ?? 0;
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    child.kill(signal);
    const [code, by] = await exit;
    return code ?? (by as string);
  }

  /** Runs the server as another user, to whom its directory belongs. */
  as(uid: number): this {
    execFileSync('chown', ['-R', `${uid}:${uid}`, this.dataDir]);
    this.#uid = uid;
    return this;
  }

  /** Without the processes that confine them, and what joins them with the service. */
  runtimes(): { pid: number; instance_id: string }[] {
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      const variables = environmentOf(name);
      if (CONFINING.has(commandOf(name)) || read(`/proc/${name}/cmdline`).includes(WIRE)) return [];
      if (!variables.includes(`ACP_DATA_DIR=${this.dataDir}`)) return [];
      const instance = variables.find((variable) => variable.startsWith('INSTANCE_ID='));
      return instance ? [{ pid: Number(name), instance_id: instance.slice('INSTANCE_ID='.length) }] : [];
    });
  }

  async databaseUrl(): Promise<string> {
    const password = await readFile(join(this.dataDir, 'postgres.password'), 'utf8');
    const pidFile = await readFile(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8');
    return `postgres://postgres:${password.trim()}@127.0.0.1:${pidFile.split('\n')[3]}/control_plane`;
  }

  async remove(): Promise<void> {
    await this.end('SIGTERM');
    // After a kill, the database ends a moment later and writes until then.
    await vi.waitUntil(() => !this.#hasDatabase(), { timeout: 180_000, interval: 20 });
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** A dead process may keep its number, but has no command line. */
  #hasDatabase(): boolean {
    const pid = read(join(this.dataDir, 'postgres/postmaster.pid')).split('\n')[0];
    return pid !== '' && read(`/proc/${pid}/cmdline`).includes(this.dataDir);
  }
}

/** Programs of server/confine-runtime.sh. */
const WIRE = 'run-on-wire.mjs';
const CONFINING = new Set(['sh', 'unshare', 'setpriv']);

const commandOf = (pid: string) => read(`/proc/${pid}/comm`).trim();
const environmentOf = (pid: string) => read(`/proc/${pid}/environ`).split('\0');

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
