/*
 * A runtime as small as the contract allows, for tests of the engine. Its environment makes it misbehave:
 * CRASH (says the text and ends), SILENT (never listens), UNHEALTHY (503), STUBBORN (ignores SIGTERM, and says when),
 * SIDECAR (starts a process in its own group that ignores SIGTERM). GET /file?<path> tells what it can read there.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';

const { CRASH, SILENT, UNHEALTHY, STUBBORN, SIDECAR, HOST, PORT, INSTANCE_ID } = process.env;

if (CRASH !== undefined) throw new Error(CRASH);

process.on('SIGTERM', () => {
  if (STUBBORN === undefined) process.exit(0);
});

if (STUBBORN !== undefined) process.stdout.write('deaf to SIGTERM\n');

if (SIDECAR !== undefined) {
  const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}

/** A file's text, the names in a directory, or the code of the error. */
function read(path) {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : readFileSync(path, 'utf8');
  } catch ({ code }) {
    return code;
  }
}

const server = createServer((request, response) => {
  const [route, path] = request.url.split('?');
  if (route === '/file') response.end(JSON.stringify(read(path)));
  else if (request.url === '/environment') response.end(JSON.stringify(process.env));
  else if (request.url === '/crash') process.exit(1);
  else if (request.url === '/babble')
    process.stdout.write(`${'x'.repeat(1024 * 1024 - 1)}\n`, () => response.end('{}'));
  else {
    response.statusCode = UNHEALTHY === undefined ? 200 : 503;
    response.end(JSON.stringify({ status: 'ok', instance_id: INSTANCE_ID }));
  }
});

server.on('error', (error) => {
  process.stderr.write(`The runtime cannot listen: ${error.code}\n`);
  process.exit(1);
});
if (SILENT === undefined) server.listen(Number(PORT), HOST);
else setInterval(() => {}, 1000);
