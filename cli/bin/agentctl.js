#!/usr/bin/env node
// npm links only files that exist at install time, and dist/ does not yet. Nothing here is newer than Node.js 14.
import { existsSync, readFileSync } from 'node:fs';

const here = process.versions.node;
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = engines.node.replace('>=', '');
const [major, minor] = here.split('.').map(Number);
const [neededMajor, neededMinor] = needed.split('.').map(Number);
const main = new URL('../dist/main.js', import.meta.url);

function fail(line) {
  process.stderr.write(`error: ${line}\n`);
  process.exitCode = 2;
}

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  fail(`Node.js ${needed} or newer is needed, and this is ${here}`);
} else if (existsSync(main)) {
  import(main.href).catch((error) =>
    fail(
      `agentctl cannot be loaded: ${String(error.message).split('\n', 1)[0]}; "npm ci" and "npm run build" make its parts fit`,
    ),
  );
} else {
  fail('agentctl is not built yet: run "npm run build"');
}
