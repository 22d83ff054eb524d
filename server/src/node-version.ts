import { readFileSync } from 'node:fs';

/**
 * Runs a program that is loaded only on a Node.js that is new enough: imports of an older one fail with a stack before
 * any line of the program runs. This file imports nothing that an old one lacks.
 */
export function runHere(load: () => Promise<unknown>): void {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };
  const needed = engines.node.replace('>=', '');
  const here = process.versions.node;
  if (isOlder(here, needed)) return fail(`Node.js ${needed} or newer is needed, and this is ${here}`);
  load().catch((error: unknown) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    fail(`This program cannot be loaded: ${reason}. "npm ci" and "npm run build" make its parts fit`);
  });
}

function isOlder(here: string, needed: string): boolean {
  const [major = 0, minor = 0] = here.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
