/*
 * A runtime that tries to break out. GET /try?<JSON of [kind, argument]>: `read`, `list`, `open` for writing or
 * `write` a path, `signal` a process, run a `shell` command, return the `environment`, `allocate` MiB, or `spin` for
 * milliseconds and return the share of a processor.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const held = [];
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
  spin: (ms) => {
    const before = process.cpuUsage();
    const until = performance.now() + ms;
    while (performance.now() < until);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / ms;
  },
};

const server = createServer((request, response) => {
  const [route, query = ''] = request.url.split('?');
  if (route !== '/try') {
    response.end(JSON.stringify({ instance_id: process.env.INSTANCE_ID }));
    return;
  }
  const [kind, argument] = JSON.parse(decodeURIComponent(query));
  try {
    response.end(JSON.stringify({ got: attempts[kind](argument) ?? null }));
  } catch ({ code, message }) {
    response.end(JSON.stringify({ refused: code ?? message }));
  }
});
process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), process.env.HOST);
