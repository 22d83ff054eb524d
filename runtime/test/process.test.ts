import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../bench/src/ports.ts';
import { at } from '../src/json.ts';
import { enrollingEnvironment } from './support/enrolling.ts';
import { startControlPlane } from './support/fake-control-plane.ts';
import { FakeMtls } from './support/fake-mtls.ts';
import { startSendApi } from './support/fake-send-api.ts';
import { instanceId } from './support/ids.ts';
import { agentSecrets, environment, messageOf, request } from './support/runtime.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = `${root}/runtime/dist/main.js`;

beforeAll(() => {
  if (!existsSync(main)) execFileSync('npx', ['tsc', '-p', 'runtime'], { cwd: root });
});

function start(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function textOf(stream: AsyncIterable<unknown> | null): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of stream ?? []) chunks.push(String(chunk));
  return chunks.join('');
}

/** Waits until the process listens. */
async function startListening() {
  const [controlPlane, sendApi] = [await startControlPlane(), await startSendApi()];
  const child = start(environment(controlPlane.url, sendApi.url));
  const lines = createInterface({ input: child.stdout ?? expect.fail('no output') });
  const [line] = await once(lines, 'line');
  const { event, address, port } = JSON.parse(String(line));
  expect(event).toBe('listening');
  const url = `http://${address}:${port}`;
  await request(`${url}/secrets`, 'PUT', agentSecrets);
  return { child, controlPlane, sendApi, url };
}

it('serves as a process and stops at SIGTERM', async () => {
  const { child, url, controlPlane } = await startListening();
  expect((await request(`${url}/health`, 'GET')).body).toEqual({ status: 'ok', instance_id: instanceId });
  expect((await request(`${url}/messages`, 'POST', messageOf('help'))).body).toEqual({ status: 'answered' });
  expect(controlPlane.texts()).toHaveLength(1);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('finishes requests in flight at SIGTERM and accepts no new ones', async () => {
  const { child, url, controlPlane } = await startListening();
  const gate = new EventEmitter();
  const arrived = once(gate, 'arrived');
  controlPlane.routes.set('GET /staff', async () => {
    gate.emit('arrived');
    await once(gate, 'released');
    return { status: 200, body: { staff: [], total: 0 } };
  });
  const inFlight = request(`${url}/messages`, 'POST', messageOf('who can dance'));
  await arrived;
  const stopping = once(createInterface({ input: child.stdout ?? expect.fail('no output') }), 'line');
  child.kill('SIGTERM');
  expect(String((await stopping)[0])).toContain('"stopping"');
  await expect(request(`${url}/health`, 'GET')).rejects.toThrow('fetch failed');
  const exit = once(child, 'exit');
  gate.emit('released');
  expect((await inFlight).body).toEqual({ status: 'answered' });
  expect(controlPlane.texts()).toEqual(['Nobody active can dance.']);
  expect(await exit).toEqual([0, null]);
});

it('stops in time, even if a call of the control plane hangs', async () => {
  const { child, url, controlPlane } = await startListening();
  const arrived = new Promise<void>((resolve) => {
    controlPlane.routes.set('GET /staff', () => {
      resolve();
      return 'hang';
    });
  });
  const inFlight = request(`${url}/messages`, 'POST', messageOf('who can dance')).catch(() => 'cut off');
  await arrived;
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  // The call would time out later, and the runtime would then answer.
  expect(await inFlight).toBe('cut off');
});

it('ends the start with one line when a setting is missing', async () => {
  const { PROXY_KEY: _, ...env } = environment('http://127.0.0.1:1', 'http://127.0.0.1:1');
  const child = start(env);
  const [stderr, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    "The runtime cannot start: PROXY_KEY is missing, it must be the instance's proxy key\n",
  );
});

it('ends the start with one line when the port is taken', async () => {
  const { url } = await startListening();
  const child = start({ ...environment(url, url), PORT: new URL(url).port });
  const [stderr, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(stderr).toBe('The runtime cannot listen: EADDRINUSE\n');
});

async function startPlane(changes: Record<string, string> = {}) {
  const plane = await FakeMtls.start(Date.now);
  const stateDir = await mkdtemp(join(tmpdir(), 'acp-runtime-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const env = { ...enrollingEnvironment(plane, stateDir), ...changes };
  return { plane, startAgain: (ENROLLMENT_TOKEN: string) => start({ ...env, ENROLLMENT_TOKEN }) };
}

/** Resolves once the process has logged the event. */
async function logged(child: ChildProcess, event: string): Promise<void> {
  for await (const line of createInterface({ input: child.stdout ?? expect.fail('no output') })) {
    if (line.includes(`"${event}"`)) return;
  }
  expect.fail(`It ended without ${event}`);
}

it('retries until it is enrolled, and keeps its identity after kill -9', async () => {
  const { plane, startAgain } = await startPlane();
  plane.mishaps.push(['enroll', 'drop'], ['enroll', { status: 500 }]);
  const first = startAgain(plane.newToken());
  await logged(first, 'enrolled');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = startAgain('');
  await logged(second, 'identity_kept');
  await expect.poll(() => plane.seen.at(-1)?.client_serial).toBe(plane.current?.serial);
  expect(plane.certificates).toHaveLength(1);
});

it.each(['off', 'on'])(
  'exits with 75, which asks for another start, when its token is refused: TLS=%s',
  async (TLS) => {
    const { startAgain } = await startPlane({ TLS });
    expect(await once(startAgain('of-last-week'), 'exit')).toEqual([75, null]);
  },
);

/** The lines sent by `POST /logs`, as one text. */
const sentLines = ({ seen }: FakeMtls) =>
  seen
    .flatMap(({ path, body }) => (path.endsWith('/logs') ? (at(body, 'lines') as string[]) : []))
    .join('\n');

it('listens over TLS once it has enrolled, and sends its log until its end', async () => {
  const PORT = String(await freePort());
  const { plane, startAgain } = await startPlane({ TLS: 'on', PORT });
  const url = `https://127.0.0.1:${PORT}/health`;
  const gate = new EventEmitter();
  const isAsked = once(gate, 'asked');
  plane.beforeAnswer = async () => {
    if (plane.asked.at(-1) !== 'enroll') return;
    gate.emit('asked');
    await once(gate, 'answer');
  };
  const child = startAgain(plane.newToken());
  const isReady = logged(child, 'listening');
  await isAsked;
  const ask = () => healthOverTls(url, plane.authority.ca_pem);
  await expect(ask()).rejects.toThrow('ECONNREFUSED');
  gate.emit('answer');
  await isReady;
  expect(await ask()).toEqual({ status: 'ok', instance_id: instanceId });
  await expect.poll(() => sentLines(plane)).toContain('"listening"');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(sentLines(plane)).toMatch(/"enrolled".*"listening".*"stopping"/s);
});

async function healthOverTls(url: string, ca: string): Promise<unknown> {
  const sent = httpsRequest(url, { ca, agent: false, checkServerIdentity: () => undefined }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return JSON.parse(await textOf(response));
}
