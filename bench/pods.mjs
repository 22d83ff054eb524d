/**
 * The engine `kubernetes` beside an API server in another process (pods-server.mjs): the memory of pods that it observes,
 * and the time in which it makes pods. `node --expose-gc bench/pods.mjs [observed, 2000] [made, 300]`, after a build.
 */
import { execFileSync, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubernetesEngine } from '../server/dist/adapters/kubernetes-engine/engine.js';
import { podOf } from '../server/dist/adapters/kubernetes-engine/pod.js';

const [observed = 2000, made = 300] = process.argv.slice(2).map(Number);
const MIB = 1024 * 1024;
const MINTED = Object.fromEntries(
  ['ENROLLMENT_TOKEN', 'PROXY_KEY', 'MESSAGE_SECRET', 'LLM_API_KEY'].map((name) => [name, 'x'.repeat(48)]),
);
const OPTIONS = {
  installation: randomUUID(),
  cluster: 'bench',
  image: 'registry.example.com/agents/runtime:1',
  pull_policy: 'missing',
  start_timeout_ms: 300_000,
};

const specOf = (instance_id) => ({
  instance_id,
  tenant_id: randomUUID(),
  generation: 1,
  cpu_millis: 500,
  memory_mib: 256,
  internet: false,
  hash: 'f'.repeat(64),
  environment: { CONTROL_PLANE_URL: 'https://service.example.com:8443' },
});

const say = (line) => process.stdout.write(`${line}\n`);

/** Kept after a collection. */
function heldBytes() {
  for (let count = 0; count < 5; count++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function startServer(directory) {
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const subject = ['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const child = fork(join(import.meta.dirname, 'pods-server.mjs'), [cert, key], { execArgv: [] });
  const [{ port }] = await once(child, 'message');
  return { child, url: `https://127.0.0.1:${port}`, ca: readFileSync(cert, 'utf8') };
}

/** Follows the engine until as many runtimes are up. */
async function untilUp(changes, count) {
  const up = new Set();
  for (;;) {
    const { value } = await changes.next();
    for (const { instance_id, phase } of value.all ?? [value]) if (phase === 'up') up.add(instance_id);
    if (up.size >= count) return;
  }
}

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'acp-pods-'));
  const { child, url, ca } = await startServer(directory);
  const access = { url, ca: async () => ca, token: async () => 'token', namespace: async () => 'runtimes' };
  const warn = (fields, message) => say(`${message}: ${fields.err}`);
  const log = { info: () => {}, warn, error: warn };
  const engine = new KubernetesEngine({ ...OPTIONS, access, log });
  const stopping = new AbortController();
  const changes = engine.watch(stopping.signal);
  // Code and connections are there before memory is read.
  await changes.next();
  await engine.ensure(specOf(randomUUID()), async () => MINTED);
  await untilUp(changes, 1);

  let began = performance.now();
  const makings = Array.from({ length: made }, () => engine.ensure(specOf(randomUUID()), async () => MINTED));
  await Promise.all(makings);
  await untilUp(changes, made);
  say(`${made} pods made and up: ${((performance.now() - began) / 1000).toFixed(2)} s`);

  const before = heldBytes();
  child.send({ count: observed, pod: podOf({ ...specOf('INSTANCE') }, randomUUID(), OPTIONS) });
  began = performance.now();
  await untilUp(changes, observed);
  say(`${observed} pods observed: ${((performance.now() - began) / 1000).toFixed(2)} s`);
  say(`their memory: ${((heldBytes() - before) / MIB).toFixed(1)} MiB`);

  stopping.abort();
  await changes.next().catch(() => {});
  await engine.close();
  child.disconnect();
  rmSync(directory, { recursive: true });
}

await main();
