#!/usr/bin/env node
// npm links only files that exist at install time, and dist/ does not yet.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('agentctl is not built yet: run "npm run build"\n');
  process.exitCode = 2;
}
