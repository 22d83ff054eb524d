import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { buildRuntime } from '../../src/build.ts';
import { readConfig } from '../../src/config.ts';
import type { Keeper } from '../../src/identity/keeper.ts';
import { createLog } from '../../src/log.ts';
import { FakeMtls, type Mishap } from './fake-mtls.ts';
import { vpnIp } from './ids.ts';
import { environment, messageOf, request } from './runtime.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** One life of the runtime. To let go of it and start another is to kill it: what it has is on disk. */
export interface Life {
  keeper: Keeper;
  health: () => Promise<{ status: number; body: unknown }>;
  /** Delivers a message: a call of the control plane for the customer's configuration. */
  message: () => Promise<unknown>;
  /** New secrets, as the control plane pushes them. */
  push: (secrets: object) => Promise<unknown>;
  logged: () => string;
  /** How often it asked for a start with a new environment. */
  restarts: () => number;
}

export interface Bench {
  plane: FakeMtls;
  stateDir: string;
  now: () => number;
  advance: (ms: number) => void;
  /** Sets the clock of the runtime alone. */
  skew: (ms: number) => void;
  /** Starts the runtime on what it kept, with a new token unless the environment says otherwise. */
  start: (changes?: Record<string, string>) => Life;
  /** The same, until everything that is due was tried. */
  run: (changes?: Record<string, string>) => Promise<Life>;
}

/** The environment of a runtime that enrolls. */
export const enrollingEnvironment = (plane: FakeMtls, stateDir: string): Record<string, string> => ({
  ...environment('http://127.0.0.1:1', 'http://127.0.0.1:1'),
  CONTROL_PLANE_MTLS_URL: plane.url,
  CONTROL_PLANE_CA: plane.authority.ca_pem,
  VPN_IP: vpnIp,
  STATE_DIR: stateDir,
});

/** Long for a busy machine; and what a test can wait for an answer that never comes. */
export const timeoutMs = (mishap?: Mishap): number => (mishap === 'hang' ? 5000 : 20_000);

/** A control plane over TLS, a directory for what is kept, and a clock. */
export async function startBench(controlPlaneMs = timeoutMs()): Promise<Bench> {
  let time = Date.now();
  let skewMs = 0;
  const now = () => time;
  const plane = await FakeMtls.start(now);
  const place = await mkdtemp(join(tmpdir(), 'acp-identity-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  // not there yet, as where nobody made it
  const stateDir = join(place, 'state');

  function start(changes: Record<string, string> = {}): Life {
    const lines: string[] = [];
    let restarts = 0;
    const config = readConfig({
      ...enrollingEnvironment(plane, stateDir),
      ENROLLMENT_TOKEN: changes['ENROLLMENT_TOKEN'] ?? plane.newToken(),
      ...changes,
    });
    const { keeper, server } = buildRuntime(config, {
      log: createLog('debug', (line) => lines.push(line)),
      now: () => time + skewMs,
      random: () => 0.5,
      onRestartNeeded: () => (restarts += 1),
      timeouts: { controlPlaneMs, sendMs: 5000, llmMs: 5000 },
    });
    if (!keeper) throw new Error('There is no identity to keep');
    const ask = async (method: string, path: string, body?: object) =>
      request((await addressOf(server)) + path, method, body);
    return {
      keeper,
      health: async () => {
        const { status, body } = await ask('GET', '/health');
        return { status, body };
      },
      message: () => ask('POST', '/messages', messageOf('help')),
      push: (secrets) => ask('PUT', '/secrets', secrets),
      logged: () => lines.join(''),
      restarts: () => restarts,
    };
  }

  return {
    plane,
    stateDir,
    now,
    advance: (ms) => {
      time += ms;
    },
    skew: (ms) => {
      skewMs += ms;
    },
    start,
    run: async (changes) => {
      const life = start(changes);
      await life.keeper.tick();
      return life;
    },
  };
}

async function addressOf(server: Server): Promise<string> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
  }
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
