import type { AddressInfo } from 'node:net';
import { buildRuntime, type Runtime } from './build.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Keeper } from './identity/keeper.ts';
import { createLog } from './log.ts';
import { LogLines } from './log-lines.ts';

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
/** Waits for the requests in flight, then for the last lines of the log. */
function stop({ server }: Runtime, exitCode: number): void {
  if (isStopping) return;
  isStopping = true;
  log.info('stopping');
  void logLines?.flush();
  server.close(() => void end(exitCode));
  setTimeout(() => process.exit(exitCode), stopTimeoutMs);
}

async function end(exitCode: number): Promise<void> {
  await logLines?.flush();
  process.exit(exitCode);
}

async function keepIdentity(keeper: Keeper): Promise<void> {
  await keeper.tick();
  if (!isStopping) setTimeout(() => void keepIdentity(keeper), keeper.pauseMs());
}

let isListening = false;
function listen({ server }: Runtime, then?: () => void): void {
  isListening = true;
  server.listen(config.port, config.host, () => {
    const { address, port } = server.address() as AddressInfo;
    log.info('listening', { instance_id: config.instanceId, address, port });
    then?.();
  });
}

function start({ keeper }: Runtime): void {
  if (keeper) void keepIdentity(keeper);
}

const config = loadConfig();
/** An engine whose runtimes listen over TLS does not read their output. */
const logLines = config.isOverTls ? new LogLines(Date.now, Math.random) : undefined;
const log = createLog(config.logLevel, (line) => {
  process.stdout.write(line);
  logLines?.add(line);
});
const runtime = buildRuntime(config, {
  log,
  logLines,
  now: Date.now,
  random: Math.random,
  onRestartNeeded: () => stop(runtime, restartNeededExitCode),
  onReplaced: () => stop(runtime, 0),
  onCertified: () => {
    if (config.isOverTls && !isListening && !isStopping) listen(runtime);
  },
});
runtime.server.on('error', (error: NodeJS.ErrnoException) =>
  fail(`The runtime cannot listen: ${error.code ?? error.name}`),
);
// A process without a port must not spend the one-time token. Over TLS the port needs the certificate.
if (config.isOverTls) start(runtime);
else listen(runtime, () => start(runtime));
process.on('SIGTERM', () => stop(runtime, 0));
process.on('SIGINT', () => stop(runtime, 0));
