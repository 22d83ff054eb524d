/**
 * The service with an engine whose runtimes are always well: measures the control plane's own part of a deploy. It
 * reads only the settings that the measurements set.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { pino } from 'pino';
import { Argon2Hasher } from '../server/dist/adapters/argon2-hasher.js';
import { MemoryCounter } from '../server/dist/adapters/counters/memory-counter.js';
import { PeculiarX509 } from '../server/dist/adapters/x509/peculiar-x509.js';
import { readConfig } from '../server/dist/config.js';
import { loggerOptions } from '../server/dist/platform/logger.js';
import { buildService } from '../server/dist/service.js';

const running = new Map();
const changes = new EventEmitter();
const report = ({ instance_id, generation, hash }, phase) =>
  changes.emit('change', {
    instance_id,
    generation,
    spec_hash: hash,
    phase,
    reason: null,
    address: phase === 'up' ? `http://runtime.invalid/${instance_id}` : null,
    restarts: 0,
    exit_code: null,
    at: Date.now(),
  });
const engine = {
  ensure: async (spec, minted) => {
    if (!running.has(spec.instance_id)) await minted();
    running.set(spec.instance_id, spec);
    report(spec, 'up');
  },
  remove: async (instance_id) => {
    const spec = running.get(instance_id);
    running.delete(instance_id);
    if (spec) report(spec, 'gone');
  },
  async *watch(signal) {
    const seen = on(changes, 'change', { signal });
    yield { all: [] };
    for await (const [observed] of seen) yield observed;
  },
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
