/**
 * The service with an engine whose runtimes are entries of a set and always well: what is measured is the control
 * plane's own part of a deploy. Settings are the service's; only what the measurements set is read.
 */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Argon2Hasher } from '../server/dist/adapters/argon2-hasher.js';
import { MemoryCounter } from '../server/dist/adapters/counters/memory-counter.js';
import { PeculiarX509 } from '../server/dist/adapters/x509/peculiar-x509.js';
import { readConfig } from '../server/dist/config.js';
import { loggerOptions } from '../server/dist/platform/logger.js';
import { buildService } from '../server/dist/service.js';

const running = new Set();
const addressOf = (instance_id) => `http://runtime.invalid/${instance_id}`;
const engine = {
  start: async ({ instance_id }) => {
    running.add(instance_id);
    return addressOf(instance_id);
  },
  stop: async (instance_id) => {
    running.delete(instance_id);
  },
  find: async (instance_id) => (running.has(instance_id) ? addressOf(instance_id) : undefined),
  close: async () => {},
};
const runtimes = { isHealthy: async () => true, putSecrets: async () => {}, postMessage: async () => {} };
const noDrive = () => Promise.reject(new Error('There is no drive'));

const config = readConfig(process.env);
const service = await buildService({
  database_url: config.database_url,
  master_key: config.master_key,
  previous_master_keys: config.previous_master_keys,
  operations_token: config.operations_token,
  servesClients: config.role !== 'worker',
  runsJobs: config.role !== 'api',
  allowedOrigins: config.mcp_allowed_origins,
  trustedProxies: config.trusted_proxies,
  forwardedForProxies: config.forwarded_for_proxies,
  mtls: config.mtls,
  logger: pino(loggerOptions(config.log_level)),
  clock: () => new Date(),
  hasher: new Argon2Hasher(),
  counter: new MemoryCounter(),
  engine,
  runtimes,
  drive: { search: noDrive, read: noDrive },
  x509: new PeculiarX509(),
  settings: {
    host_id: randomUUID(),
    chatapp_api_base_url: config.chatapp_api_base_url,
    trust_domain: config.trust_domain,
    llm: config.llm,
  },
});
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
await service.listen(config.host, { port: config.port, mtls_port: config.mtls?.port ?? 0 });
