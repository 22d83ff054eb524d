import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerStatus, Pod, Terminated } from '../../../src/adapters/kubernetes-engine/api.ts';

const LOOK_MS = 50;
const MAX_WORDS = 4096;
const PORT = 8700;

type Secret = Record<string, string>;

export interface KubeletOptions {
  /** The first half of its addresses. */
  prefix: string;
  /** The commands of images. */
  images: Readonly<Record<string, readonly string[]>>;
  secret: (name: string) => Secret | undefined | Promise<Secret | undefined>;
  /** Tells the API server of a pod's new status. */
  report: (name: string, status: NonNullable<Pod['status']>) => void;
  /** Before a container starts again. */
  restartMs: number;
}

interface Run {
  child: ChildProcess | undefined;
  container: ContainerStatus;
  ip: string;
  isEnding: boolean;
  /** Its node is silent. */
  isLost: boolean;
  isOutOfMemory: boolean;
  words: string;
  directory: string;
}

/** Runs the containers of pods as processes, which listen on addresses of their own in 127.0.0.0/8. */
export class FakeKubelet {
  readonly #options: KubeletOptions;
  readonly #runs = new Map<string, Run>();
  #addresses = 0;

  constructor(options: KubeletOptions) {
    this.#options = options;
  }

  async start(pod: Pod): Promise<void> {
    const { name = '' } = pod.metadata;
    const container = { name: 'runtime', ready: false, started: false, restartCount: 0 };
    // At once, so that an end that comes next ends it.
    const directory = mkdtempSync(join(tmpdir(), 'fake-pod-'));
    const [isEnding, isLost, isOutOfMemory] = [false, false, false];
    const words = '';
    const run = {
      child: undefined,
      container,
      ip: this.#address(),
      isEnding,
      isLost,
      isOutOfMemory,
      words,
      directory,
    };
    this.#runs.set(name, run);
    await this.#startContainer(pod, run);
  }

  /** Resolves when its container has ended; never where its node is silent. */
  async end(name: string): Promise<void> {
    const run = this.#runs.get(name);
    if (!run) return;
    run.isEnding = true;
    if (run.isLost) return new Promise(() => {});
    await kill(run.child, 'SIGTERM');
    this.#runs.delete(name);
    await rm(run.directory, { recursive: true, force: true });
  }

  /** As the kernel does. */
  async outOfMemory(name: string): Promise<void> {
    const run = this.#runs.get(name);
    if (!run) return;
    run.isOutOfMemory = true;
    await kill(run.child, 'SIGKILL');
  }

  loseNode(name: string): void {
    const run = this.#runs.get(name);
    if (run) run.isLost = true;
  }

  async close(): Promise<void> {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    await Promise.all(
      runs.map(async (run) => {
        run.isEnding = true;
        await kill(run.child, 'SIGKILL');
        await rm(run.directory, { recursive: true, force: true });
      }),
    );
  }

  #address(): string {
    this.#addresses++;
    return `${this.#options.prefix}.${Math.floor(this.#addresses / 250)}.${(this.#addresses % 250) + 2}`;
  }

  async #startContainer(pod: Pod, run: Run): Promise<void> {
    const { image, envFrom } = (pod.spec as { containers: Container[] }).containers[0] ?? {};
    const [program, ...args] = this.#options.images[image ?? ''] ?? [];
    const wait = (reason: string) => this.#change(pod, run, { state: { waiting: { reason } } });
    if (program === undefined) return wait('ErrImagePull');
    const env = await this.#options.secret(envFrom?.[0]?.secretRef.name ?? '');
    if (!env) return wait('CreateContainerConfigError');
    if (run.isEnding) return;
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, ...env, HOST: run.ip, STATE_DIR: run.directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    run.child = child;
    run.words = '';
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text: Buffer) => {
        run.words = (run.words + text.toString()).slice(-MAX_WORDS);
      });
    const exited = Promise.all([
      once(child, 'exit'),
      once(child.stdout, 'close'),
      once(child.stderr, 'close'),
    ]);
    void this.#noteEnd(pod, run, exited);
    this.#change(pod, run, { state: { running: {} }, started: false, ready: false });
    void this.#probe(pod, run, child);
  }

  /** The startup probe, with which the readiness probe succeeds at once. */
  async #probe(pod: Pod, run: Run, child: ChildProcess): Promise<void> {
    while (child.exitCode === null && child.signalCode === null) {
      if (await listens(run.ip)) return this.#change(pod, run, { started: true, ready: true });
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async #noteEnd(pod: Pod, run: Run, exited: Promise<[unknown[], ...unknown[]]>): Promise<void> {
    const [[code, signal]] = await exited;
    if (run.isEnding) return;
    const terminated: Terminated = {
      exitCode: (code as number | null) ?? (signal === 'SIGTERM' ? 143 : 137),
      reason: run.isOutOfMemory ? 'OOMKilled' : 'Error',
      message: run.words,
      containerID: randomUUID(),
    };
    run.isOutOfMemory = false;
    const waiting = { reason: 'CrashLoopBackOff' };
    this.#change(pod, run, { state: { waiting }, lastState: { terminated }, started: false, ready: false });
    await new Promise((resolve) => setTimeout(resolve, this.#options.restartMs));
    if (run.isEnding) return;
    run.container.restartCount = (run.container.restartCount ?? 0) + 1;
    await this.#startContainer(pod, run);
  }

  #change({ metadata }: Pod, run: Run, change: Partial<ContainerStatus>): void {
    Object.assign(run.container, change);
    const status = run.container.ready ? 'True' : 'False';
    this.#options.report(metadata.name ?? '', {
      phase: run.container.state?.waiting && !run.container.lastState ? 'Pending' : 'Running',
      podIP: run.ip,
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status },
      ],
      containerStatuses: [{ ...run.container }],
    });
  }
}

interface Container {
  image: string;
  envFrom?: { secretRef: { name: string } }[];
}

function listens(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: PORT });
    const end = (isListening: boolean) => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

async function kill(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 6000);
  await exited;
  clearTimeout(timer);
}
