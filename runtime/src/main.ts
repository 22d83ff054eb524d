import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildRuntime } from './build.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createLog, type Log } from './log.ts';

/** What is still in flight after this long is given up, to be gone within 5 s. */
const stopTimeoutMs = 4000;

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

function stopOnSignal(server: Server, log: Log): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping');
    server.close(() => process.exit(0));
    setTimeout(() => process.exit(0), stopTimeoutMs);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const config = loadConfig();
const log = createLog(config.logLevel, (line) => process.stdout.write(line));
const server = buildRuntime(config, { log, now: Date.now });
server.on('error', (error: NodeJS.ErrnoException) =>
  fail(`The runtime cannot listen: ${error.code ?? error.name}`),
);
server.listen(config.port, config.host, () => {
  const { address, port } = server.address() as AddressInfo;
  log.info('listening', { instance_id: config.instanceId, address, port });
});
stopOnSignal(server, log);
