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

/** A run of the runtime. The next start is like one after a kill: only the disk remains. */
export interface Life {
  keeper: Keeper;
  /** Listens by itself at the first request without TLS. */
  server: Server;
  health: () => Promise<{ status: number; body: unknown }>;
  /** Delivers a message, which makes the runtime read the customer's configuration. */
  message: () => Promise<unknown>;
  /** Like the control plane, `PUT /secrets`. */
  push: (secrets: object) => Promise<unknown>;
  logged: () => string;
  /** Counts requests for a start with a new environment. */
  restarts: () => number;
  /** Counts notices that a newer runtime exists. */
  replacements: () => number;
}

export interface Bench {
  plane: FakeMtls;
  stateDir: string;
  now: () => number;
  advance: (ms: number) => void;
  /** Sets only the runtime's clock. */
  skew: (ms: number) => void;
  /** Starts the runtime on its stored state, by default with a new token. */
  start: (changes?: Record<string, string>) => Life;
  /** Starts the runtime and runs all due tasks. */
  run: (changes?: Record<string, string>) => Promise<Life>;
}

export const enrollingEnvironment = (plane: FakeMtls, stateDir: string): Record<string, string> => ({
  ...environment('http://127.0.0.1:1', 'http://127.0.0.1:1'),
  CONTROL_PLANE_MTLS_URL: plane.url,
  CONTROL_PLANE_CA: plane.authority.ca_pem,
  VPN_IP: vpnIp,
  STATE_DIR: stateDir,
});

/** Long enough for a busy machine, but short for a hanging call. */
export const timeoutMs = (mishap?: Mishap): number => (mishap === 'hang' ? 1500 : 20_000);

/** A fake control plane over TLS, a state directory and a clock. */
export async function startBench(controlPlaneMs = timeoutMs()): Promise<Bench> {
  let time = Date.now();
  let skewMs = 0;
  const now = () => time;
  const plane = await FakeMtls.start(now);
  const place = await mkdtemp(join(tmpdir(), 'acp-identity-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  // The runtime has to create it.
  const stateDir = join(place, 'state');

  function start(changes: Record<string, string> = {}): Life {
    const lines: string[] = [];
    let restarts = 0;
    let replacements = 0;
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
      onReplaced: () => (replacements += 1),
      timeouts: { controlPlaneMs, sendMs: 5000, llmMs: 5000 },
    });
    if (!keeper) throw new Error('There is no identity to keep');
    const ask = async (method: string, path: string, body?: object) =>
      request((await addressOf(server)) + path, method, body);
    return {
      keeper,
      server,
      health: async () => {
        const { status, body } = await ask('GET', '/health');
        return { status, body };
      },
      message: () => ask('POST', '/messages', messageOf('help')),
      push: (secrets) => ask('PUT', '/secrets', secrets),
      logged: () => lines.join(''),
      restarts: () => restarts,
      replacements: () => replacements,
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
