/*
 * A runtime that tries to break out. GET /try?<JSON of [kind, argument]>: `read`, `list`, `open` for writing or
 * `write` a path, `signal` a process, run a `shell` command, return the `environment`, `allocate` MiB, `spin` for
 * milliseconds and return the share of a processor, `connect` somewhere, say something and return what comes back, or
 * `ask` for a URL. `heard` is what came to its other routes.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const held = [];
const heard = [];
const ANSWER_WITHIN_MS = 1_000;
const attempts = {
  read: (path) => readFileSync(path, 'latin1'),
  list: (path) => readdirSync(path),
  open: (path) => closeSync(openSync(path, 'r+')),
  write: (path) => writeFileSync(path, 'written'),
  signal: (pid) => process.kill(pid, 0),
  shell: (command) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    return { status, stdout: stdout.trim(), stderr: stderr.trim() };
  },
  environment: () => process.env,
  allocate: (mib) => {
    for (let count = 0; count < mib; count++) held.push(Buffer.alloc(1024 * 1024, 1));
    return held.length;
  },
  connect: ([to, said]) =>
    new Promise((resolve, reject) => {
      const socket = connect({ ...to, timeout: ANSWER_WITHIN_MS }, () =>
        socket.write(Buffer.from(said, 'latin1')),
      );
      let got = '';
      socket.on('data', (chunk) => (got += chunk.toString('latin1')));
      socket.on('end', () => resolve(got));
      socket.on('timeout', () => (socket.connecting ? reject(new Error('timeout')) : resolve(got)));
      socket.on('error', reject);
      socket.on('close', () => socket.destroy());
    }),
  ask: ({ url, method = 'GET', headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const send = url.startsWith('https:') ? requestHttps : requestHttp;
      const options = { method, headers, ca: process.env.CONTROL_PLANE_CA, agent: false };
      const asked = send(url, options, (response) => {
        text(response).then((said) => resolve({ status: response.statusCode, said }), reject);
      });
      asked.on('error', reject).end(body);
    }),
  heard: () => heard,
  spin: (ms) => {
    const before = process.cpuUsage();
    const until = performance.now() + ms;
    while (performance.now() < until);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / ms;
  },
};

async function serve(request, response) {
  const [route, query = ''] = request.url.split('?');
  if (route !== '/try') {
    heard.push(`${request.method} ${route} ${await text(request)}`);
    response.end(JSON.stringify({ instance_id: process.env.INSTANCE_ID }));
    return;
  }
  const [kind, argument] = JSON.parse(decodeURIComponent(query));
  try {
    response.end(JSON.stringify({ got: (await attempts[kind](argument)) ?? null }));
  } catch ({ code, message }) {
    response.end(JSON.stringify({ refused: code ?? message }));
  }
}

const server = createServer((request, response) => void serve(request, response));
process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), process.env.HOST);
