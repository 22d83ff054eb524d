// Runs in Internet (src/adapters/outside/internet.ts): a proxy of HTTP for each runtime that may reach public addresses.
// The bytes do not pass the thread of the service. Node 20 cannot start a thread from TypeScript, which tests run.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { parentPort } from 'node:worker_threads';

/** A limit for each runtime. */
const MAX_CONNECTIONS = 200;
const CONNECT_WITHIN_MS = 10_000;
const IDLE_MS = 10 * 60_000;
/** Headers for one connection (RFC 9110, section 7.6.1), and for this proxy. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings)$/i;

/** Proxies by path. */
const servers = new Map();
/** Questions to the service that wait for an answer. */
const asked = new Map();
let last = 0;

/** The addresses that a host may be reached at, as the service finds them; empty: none. */
function addressesOf(host) {
  const id = ++last;
  parentPort.postMessage({ id, host });
  return new Promise((resolve) => asked.set(id, resolve));
}

/** Options to connect to a host at the addresses that were looked at, and no others. */
const at = (host, port, addresses) => ({
  host,
  port,
  lookup: (_name, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0].address, addresses[0].family),
});

async function tunnel({ url }, client, head) {
  client.on('error', () => client.destroy());
  const { far, refusal } = await reach(url);
  if (!far) {
    client.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\n\r\n`);
    return;
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  far.write(head);
  far.setTimeout(IDLE_MS, () => far.destroy());
  pipeline(client, far, client, () => {});
}

/** @param url `<host>:<port>` */
async function reach(url) {
  const target = URL.canParse(`http://${url}`) ? new URL(`http://${url}`) : undefined;
  if (!target || !/:\d+$/.test(url)) return { refusal: '400 Bad Request' };
  const addresses = await addressesOf(target.hostname);
  if (addresses.length === 0) return { refusal: '403 Forbidden' };
  const far = connect(at(target.hostname, Number(target.port || 80), addresses));
  try {
    await once(far, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
    return { far };
  } catch {
    far.destroy();
    return { refusal: '502 Bad Gateway' };
  }
}

function headersOf({ rawHeaders }) {
  const kept = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!HOP_BY_HOP.test(rawHeaders[at])) kept.push(rawHeaders[at], rawHeaders[at + 1]);
  return kept;
}

async function pass(request, response) {
  const fail = (status) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(status, { connection: 'close' }).end();
  };
  const target = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const addresses = target?.protocol === 'http:' ? await addressesOf(target.hostname) : undefined;
  if (!addresses?.length) {
    fail(addresses ? 403 : 400);
    return;
  }
  const far = httpRequest({
    ...at(target.hostname.replace(/^\[|\]$/g, ''), Number(target.port || 80), addresses),
    method: request.method,
    path: target.pathname + target.search,
    headers: headersOf(request),
    setHost: false,
    agent: false,
    timeout: IDLE_MS,
  });
  far.on('timeout', () => far.destroy(new Error('idle')));
  far.on('response', (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, headersOf(answer));
    pipeline(answer, response, () => {});
  });
  far.on('error', () => fail(502));
  pipeline(request, far, () => {});
}

function listenAt(path) {
  rmSync(path, { force: true });
  const server = createServer((request, response) => void pass(request, response));
  server.on('connect', (request, client, head) => void tunnel(request, client, head));
  server.maxConnections = MAX_CONNECTIONS;
  server.on('error', ({ message }) => parentPort.postMessage({ path, failed: message }));
  server.listen({ path, readableAll: true, writableAll: true }, () => parentPort.postMessage({ path }));
  servers.set(path, server);
}

function closeAt(path) {
  servers.get(path)?.close();
  servers.delete(path);
  parentPort.postMessage({ path });
}

parentPort.on('message', ({ listenAt: opened, closeAt: closed, id, addresses }) => {
  if (opened) listenAt(opened);
  else if (closed) closeAt(closed);
  else {
    asked.get(id)?.(addresses);
    asked.delete(id);
  }
});
