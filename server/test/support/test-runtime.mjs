/*
 * The smallest runtime that the contract allows, with faults by its environment: CRASH (prints the text and ends),
 * SILENT (never listens), UNHEALTHY (503), STUBBORN (reports and ignores SIGTERM), SIDECAR (starts a process that
 * ignores SIGTERM). GET /file?<path> reads a file, /crash?<code>=<text> ends it, /allocate?<MiB> fills its memory.
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

function read(path) {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : readFileSync(path, 'utf8');
  } catch ({ code }) {
    return code;
  }
}

function crash([code = '1', farewell = '']) {
  const text = farewell && `${decodeURIComponent(farewell)}\n`;
  process.stdout.write(text, () => process.exit(Number(code)));
}

const held = [];
function allocate(mib) {
  for (let count = 0; count < mib; count++) held.push(Buffer.alloc(1024 * 1024, 1));
}

const server = createServer((request, response) => {
  const [route, path] = request.url.split('?');
  if (route === '/file') response.end(JSON.stringify(read(path)));
  else if (request.url === '/environment') response.end(JSON.stringify(process.env));
  else if (route === '/crash') crash(path?.split('=') ?? []);
  else if (route === '/allocate') allocate(Number(path));
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
