/**
 * Runs the built service and the demo under other versions of Node: node tools/smoke.mjs 22 24. Needs `npm run
 * build`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const READY_WITHIN_MS = 120_000;
const POLL_MS = 100;

/** The npm package `node` holds the official binary. */
function installNode(version, directory) {
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--no-save', '--no-audit', '--no-fund', '--silent', '--prefix', directory];
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' });
  return join(directory, 'node_modules', name, 'bin', 'node');
}

function start(node, script, environment) {
  const child = spawn(node, [join(ROOT, script)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const program = { child, output: '', closed: once(child, 'close') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (program.output += chunk));
  return program;
}

function baseUrl(dataDir) {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')).base_url;
  } catch {
    return undefined;
  }
}

async function waitUntilReady({ child }, dataDir) {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const url = baseUrl(dataDir);
    if (url !== undefined && (await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return;
    await sleep(POLL_MS);
  }
  throw new Error('The service did not become ready');
}

async function expectSuccess(name, { closed }) {
  const [code, signal] = await closed;
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? code}`);
}

async function check(version) {
  const directory = mkdtempSync(join(tmpdir(), 'acp-smoke-'));
  const dataDir = join(directory, 'data');
  const programs = [];
  try {
    const node = installNode(version, directory);
    const exact = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const environment = { DATA_DIR: dataDir };
    const service = start(node, 'server/dist/main.js', { ...environment, PORT: '0', MTLS_PORT: '0' });
    programs.push(service);
    await waitUntilReady(service, dataDir);
    const demo = start(node, 'demo/dist/main.js', environment);
    programs.push(demo);
    await expectSuccess('The demo', demo);
    service.child.kill('SIGTERM');
    await expectSuccess('The service', service);
    process.stdout.write(`Node ${exact}: the service and the demo work\n`);
  } catch (error) {
    for (const { output } of programs) process.stderr.write(output);
    process.stderr.write(`Node ${version}: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    for (const { child, closed } of programs) {
      child.kill('SIGTERM');
      await closed;
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const version of process.argv.slice(2)) await check(version);
