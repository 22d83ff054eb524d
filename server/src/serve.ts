import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { readConfig } from './config.ts';
import { type Started, start } from './start.ts';

const STOP_WITHIN_MS = 9500;
/** A model that is slow to answer does not hold the start up. */
const MODEL_WITHIN_MS = 2000;
const V8_FLAGS = [
  // By default garbage grows to several times the live heap.
  '--heap-growing-percent=25',
  // Requests that wait for the database would otherwise teach V8 to allocate their objects in the old generation,
  // where garbage is expensive.
  '--no-allocation-site-pretenuring',
];

function nearby(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : `./${short}`;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @param model a line about it */
function printAddresses(started: Started, model: string | undefined): void {
  const { base_url, mtls_url, public_url, sign_in_url, credentials_path } = started;
  printLine(`\nThe agent control plane is ready at ${base_url}\n`);
  if (sign_in_url !== undefined) {
    printLine(`  dashboard     ${sign_in_url}`);
    printLine(
      '                (signs you in once, within 15 minutes; npx agentctl dashboard prints another)',
    );
  } else {
    printLine(`  dashboard     ${public_url}   (npx agentctl dashboard prints a link that signs you in)`);
  }
  if (credentials_path) printLine(`  credentials   ${nearby(credentials_path)}`);
  printLine(`  API docs      ${base_url}/docs`);
  printLine(`  mTLS          ${mtls_url}`);
  if (model !== undefined) printLine(`  model         ${model}`);
  if (credentials_path) printLine(`  try next      npm run demo   (in a second terminal)`);
  else printLine(`  try next      npx agentctl bootstrap   (with ACP_OPERATIONS_TOKEN: the first tenant)`);
  printLine('');
}

async function main(): Promise<void> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  let started: Started | undefined;
  let stopping = false;
  const { drain_seconds, ...config } = readConfig(process.env);
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // The next start recovers, as after a kill.
    if (!started) process.exit(0);
    setTimeout(() => process.exit(0), drain_seconds * 1000 + STOP_WITHIN_MS).unref();
    started.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Otherwise a closed terminal would leave runtimes behind.
  process.on('SIGHUP', stop);
  // A closed pipe (`| head`) or full disk must not end the service.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  if (process.stdout.isTTY) printLine('Starting the database and the service');
  started = await start({ drain_seconds, ...config });
  const model = await Promise.race([
    started.ownModel,
    sleep(MODEL_WITHIN_MS, 'its provider has not answered yet'),
  ]);
  printAddresses(started, model);
}

main().catch((error: unknown) => {
  const reason = error instanceof Error && error.message ? error.message : String(error);
  process.stderr.write(`${reason.split('\n', 1)[0]}\n`);
  process.exit(1);
});
