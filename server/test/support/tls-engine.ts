import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../src/adapters/free-port.ts';
import type { Mint, RuntimeSpec } from '../../src/runtimes/engine.port.ts';
import { FakeEngine } from './fakes.ts';

const REFERENCE = resolve(import.meta.dirname, '../../../runtime/dist/main.js');

interface Started {
  child: ChildProcess;
  directory: string;
}

/** The reference runtime as a process that knows of TLS=on alone, as in a container: nobody reads its output. */
export class TlsEngine extends FakeEngine {
  readonly exits: (number | null)[] = [];
  /** Changes the environment of the next starts. */
  change: (environment: Record<string, string>) => Record<string, string> = (environment) => environment;
  readonly #started = new Map<string, Started>();

  override async ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    const { instance_id } = spec;
    if (this.#started.has(instance_id)) return;
    this.report(spec, { phase: 'starting' });
    const minted = await mint();
    if (!minted) return this.report(spec, { phase: 'gone' });
    const directory = await mkdtemp(join(tmpdir(), 'acp-tls-'));
    const port = await findFreePort();
    const own = { TLS: 'on', HOST: '127.0.0.1', PORT: String(port), STATE_DIR: directory };
    const environment = this.change({ ...spec.environment, ...minted, ...own });
    const child = spawn(process.execPath, [REFERENCE], { env: environment, stdio: 'ignore' });
    this.#started.set(instance_id, { child, directory });
    const address = `https://127.0.0.1:${port}#${instance_id}`;
    this.running.set(instance_id, { ...spec, environment, address });
    child.once('exit', (code) => {
      this.exits.push(code);
      this.#started.delete(instance_id);
      this.lose(instance_id, { exit_code: code });
    });
    void this.#reportUp(spec, child, port, address);
  }

  override async remove(instance_id: string): Promise<void> {
    this.#started.get(instance_id)?.child.kill('SIGTERM');
  }

  override async close(): Promise<void> {
    const all = [...this.#started.values()];
    for (const { child } of all) child.kill('SIGTERM');
    await Promise.all(all.map(async ({ child }) => child.exitCode ?? once(child, 'exit')));
    await Promise.all(all.map(({ directory }) => rm(directory, { recursive: true, force: true })));
  }

  /** It listens once it has enrolled. */
  async #reportUp(spec: RuntimeSpec, child: ChildProcess, port: number, address: string): Promise<void> {
    while (child.exitCode === null && !(await isListening(port))) await wait(20);
    if (child.exitCode === null) this.report(spec, { phase: 'up', address });
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
