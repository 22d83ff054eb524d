import type { AddressInfo } from 'node:net';
import { buildRuntime, type Runtime } from './build.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Keeper } from './identity/keeper.ts';
import { createLog } from './log.ts';

/** The contract allows 5 s. Then requests in flight are dropped. */
const stopTimeoutMs = 4000;
/** Asks the host for a start with a new environment, mainly an ENROLLMENT_TOKEN. EX_TEMPFAIL of sysexits(3). */
const restartNeededExitCode = 75;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function loadConfig(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message);
    throw error;
  }
}

let isStopping = false;
/** Waits for the requests in flight. */
function stop({ server }: Runtime, exitCode: number): void {
  if (isStopping) return;
  isStopping = true;
  log.info('stopping');
  server.close(() => process.exit(exitCode));
  setTimeout(() => process.exit(exitCode), stopTimeoutMs);
}

async function keepIdentity(keeper: Keeper): Promise<void> {
  await keeper.tick();
  if (!isStopping) setTimeout(() => void keepIdentity(keeper), keeper.pauseMs());
}

const config = loadConfig();
const log = createLog(config.logLevel, (line) => process.stdout.write(line));
const runtime = buildRuntime(config, {
  log,
  now: Date.now,
  random: Math.random,
  onRestartNeeded: () => stop(runtime, restartNeededExitCode),
  onReplaced: () => stop(runtime, 0),
});
runtime.server.on('error', (error: NodeJS.ErrnoException) =>
  fail(`The runtime cannot listen: ${error.code ?? error.name}`),
);
runtime.server.listen(config.port, config.host, () => {
  const { address, port } = runtime.server.address() as AddressInfo;
  log.info('listening', { instance_id: config.instanceId, address, port });
  // After listening: a process without a port must not spend the one-time token.
  if (runtime.keeper) void keepIdentity(runtime.keeper);
});
process.on('SIGTERM', () => stop(runtime, 0));
process.on('SIGINT', () => stop(runtime, 0));
