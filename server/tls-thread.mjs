// Runs in TlsThread (src/platform/http/tls-thread.ts). Node 20 cannot start a thread from TypeScript, which tests
// run.
import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { MessageChannel, parentPort, workerData } from 'node:worker_threads';

// Limits per network.
const MAX_CONNECTIONS = 2000;
const HANDSHAKES_AT_ONCE = 16;
const MAX_WAITING = 256;
/**
 * OpenSSL verifies a caller's certificates in up to 9 ms per KiB, so handshakes have a budget of bytes. An honest one
 * takes about 2 KiB.
 */
const BUDGET_BYTES = 3 * 1024 * 1024;
const BUDGET_BYTES_PER_MS = BUDGET_BYTES / 60_000;

const { host, port, context, handshakeTimeoutMs } = workerData;
const networks = new Map();
/** Connections with unfinished handshakes. */
const handshakes = new Set();
/** Ends the handshake whose events are handled. */
const ending = new AsyncLocalStorage();

class Network {
  connections = 0;
  handshakes = 0;
  waiting = [];
  #spent = 0;
  #since = performance.now();

  spend(bytes) {
    const now = performance.now();
    this.#spent = Math.max(0, this.#spent - (now - this.#since) * BUDGET_BYTES_PER_MS) + bytes;
    this.#since = now;
    return this.#spent;
  }

  get isExhausted() {
    return this.spend(0) >= BUDGET_BYTES;
  }

  get isIdle() {
    return this.connections === 0 && this.spend(0) === 0;
  }
}

setInterval(() => {
  for (const [key, network] of networks) if (network.isIdle) networks.delete(key);
}, 60_000).unref();

/** The IPv4 address, or the /64 of an IPv6 address (src/platform/load/networks.ts). */
function keyOf(address) {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}

function networkOf(address) {
  const key = keyOf(address);
  const network = networks.get(key) ?? new Network();
  networks.set(key, network);
  return network;
}

function accept(socket, network) {
  socket.on('error', () => {});
  const isFull = network.connections >= MAX_CONNECTIONS || network.waiting.length >= MAX_WAITING;
  if (isFull || network.isExhausted) {
    socket.destroy();
    return;
  }
  network.connections++;
  socket.once('close', () => network.connections--);
  network.waiting.push(socket);
  startWaitingHandshakes(network);
}

function startWaitingHandshakes(network) {
  while (network.handshakes < HANDSHAKES_AT_ONCE && network.waiting.length > 0) {
    const socket = network.waiting.shift();
    if (network.isExhausted) socket.destroy();
    if (!socket.destroyed) startHandshake(network, socket);
  }
}

function startHandshake(network, socket) {
  network.handshakes++;
  const end = () => {
    if (!handshakes.delete(socket)) return;
    network.handshakes--;
    network.spend(socket.bytesRead);
    startWaitingHandshakes(network);
  };
  handshakes.add(socket);
  socket.once('close', end);
  ending.run(end, () => tlsServer.emit('connection', socket));
}

const tlsServer = createTlsServer({
  ...context,
  ALPNProtocols: ['http/1.1'],
  requestCert: true,
  rejectUnauthorized: false,
  handshakeTimeout: handshakeTimeoutMs,
});
tlsServer.on('tlsClientError', (_error, tls) => tls.destroy());
tlsServer.on('secureConnection', (tls) => {
  ending.getStore()?.();
  forwardStream(tls);
});

/**
 * getPeerX509Certificate leaks memory on the server's side (Node 20.20) and decodes the whole chain. Without a
 * certificate Node returns an empty object, or null for a closed connection.
 */
function certificateOf(tls) {
  const { raw, serialNumber } = tls.getPeerCertificate() ?? {};
  return raw && { raw: Uint8Array.from(raw), serialNumber };
}

/**
 * Messages in both directions: bytes, `null` for the end, `true` for a received chunk. Each side waits for `true`, so
 * a slow reader slows the writer.
 */
function forwardStream(tls) {
  const { port1, port2 } = new MessageChannel();
  const { remoteAddress = '' } = tls;
  const opening = { connection: port2, remoteAddress, certificate: certificateOf(tls) };
  let hasEnded = false;
  tls.on('error', () => {});
  tls.on('data', (chunk) => {
    tls.pause();
    const bytes = Uint8Array.from(chunk);
    port1.postMessage(bytes, [bytes.buffer]);
  });
  tls.on('end', () => port1.postMessage(null));
  tls.on('close', () => port1.close());
  port1.on('message', (message) => {
    if (message === true) tls.resume();
    else if (message !== null) tls.write(message, () => port1.postMessage(true));
    else {
      hasEnded = true;
      tls.end();
    }
  });
  port1.on('close', () => (hasEnded ? tls.destroySoon() : tls.destroy()));
  parentPort.postMessage(opening, [port2]);
}

const listener = createServer({ pauseOnConnect: true }, (socket) =>
  accept(socket, networkOf(socket.remoteAddress ?? '')),
);
listener.once('error', ({ message }) => parentPort.postMessage({ failed: message }));
listener.listen({ host, port }, () => {
  listener.on('error', ({ message }) => parentPort.postMessage({ trouble: message }));
  parentPort.postMessage({ port: listener.address().port });
});

/** Unix sockets by path, each of one runtime, which has limits of its own. */
const doors = new Map();

function listenAt(path) {
  rmSync(path, { force: true });
  const network = new Network();
  const server = createServer({ pauseOnConnect: true }, (socket) => accept(socket, network));
  server.on('error', ({ message }) => parentPort.postMessage({ path, failed: message }));
  server.listen({ path, readableAll: true, writableAll: true }, () => parentPort.postMessage({ path }));
  doors.set(path, { server, network });
}

function closeAt(path) {
  const door = doors.get(path);
  doors.delete(path);
  door?.server.close();
  for (const socket of door?.network.waiting ?? []) socket.destroy();
  parentPort.postMessage({ path });
}

function close() {
  listener.close();
  for (const path of doors.keys()) closeAt(path);
  for (const { waiting } of networks.values()) for (const socket of waiting) socket.destroy();
  for (const socket of handshakes) socket.destroy();
  parentPort.postMessage({ closed: true });
}

parentPort.on('message', (message) => {
  if (message.context) tlsServer.setSecureContext(message.context);
  else if (message.listenAt) listenAt(message.listenAt);
  else if (message.closeAt) closeAt(message.closeAt);
  else close();
});
