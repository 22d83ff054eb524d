/**
 * An API server of Kubernetes with a node that starts pods at once, for `pods.mjs`, which starts it with an IPC channel.
 * Holds no more than the engine asks for. Arguments: certificate and key, as files. A message with a number and labels
 * makes as many pods.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [certPath, keyPath] = process.argv.slice(2);
const pods = new Map();
const secrets = new Set();
const watches = new Set();
let version = 1;

const tell = (type, object) => {
  for (const response of watches) response.write(`${JSON.stringify({ type, object })}\n`);
};

function put(pod, type) {
  version++;
  const metadata = { ...pod.metadata, resourceVersion: String(version) };
  const stored = { ...pod, metadata };
  pods.set(metadata.name, stored);
  tell(type, stored);
  return stored;
}

const running = () => ({
  phase: 'Running',
  podIP: '10.0.0.1',
  conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })),
  containerStatuses: [
    {
      name: 'runtime',
      ready: true,
      started: true,
      restartCount: 0,
      image: 'registry.example.com/agents/runtime:1',
      imageID: `registry.example.com/agents/runtime@sha256:${'0'.repeat(64)}`,
      containerID: `containerd://${'1'.repeat(64)}`,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    },
  ],
});

function create(pod) {
  const made = put({ ...pod, metadata: { ...pod.metadata, uid: randomUUID() } }, 'ADDED');
  setImmediate(() => put({ ...made, status: running() }, 'MODIFIED'));
  return made;
}

function list(query) {
  const from = Number(query.get('continue') ?? 0);
  const items = [...pods.values()].slice(from, from + Number(query.get('limit')));
  const next = from + items.length;
  const more = next < pods.size ? { continue: String(next) } : {};
  return { kind: 'PodList', metadata: { resourceVersion: String(version), ...more }, items };
}

function watch(response) {
  response.writeHead(200);
  response.flushHeaders();
  watches.add(response);
  response.on('close', () => watches.delete(response));
}

function createSecret(secret) {
  secrets.add(secret.metadata.name);
  return { ...secret, metadata: { ...secret.metadata, uid: randomUUID() } };
}

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'https://localhost');
  if (searchParams.has('watch')) return watch(response);
  let text = '';
  for await (const chunk of request) text += chunk;
  const make = pathname.endsWith('/pods') ? create : createSecret;
  const body = request.method === 'POST' ? make(JSON.parse(text)) : list(searchParams);
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

const server = createServer(
  { cert: readFileSync(certPath), key: readFileSync(keyPath) },
  (...exchange) => void answer(...exchange),
);

process.once('disconnect', () => process.exit());
process.on('message', ({ count, pod }) => {
  for (let number = 0; number < count; number++) {
    const id = randomUUID();
    const own = JSON.parse(JSON.stringify(pod).replaceAll('INSTANCE', id));
    put({ ...own, metadata: { ...own.metadata, uid: randomUUID() }, status: running() }, 'ADDED');
  }
  process.send({ pods: pods.size });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
