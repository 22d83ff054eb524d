#!/usr/bin/env node
// npm links a command only where its file is there when it installs, which what is built is not.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('agentctl is not built yet: run "npm run build"\n');
  process.exitCode = 2;
}
