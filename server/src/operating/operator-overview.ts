import { VERSION } from '../platform/contract/about.ts';
import type { Reading } from '../platform/database-gauges.ts';
import type { SystemDb } from '../platform/db/queryable.ts';
import { countTenants, readGauges } from './gauges.db.ts';

const LIVE_STATUSES = ['pending', 'provisioning', 'running', 'stopped', 'failed', 'terminating'] as const;
const HOST_STATES = ['alive', 'dead'] as const;
const OPEN_STATUSES = ['pending', 'queued', 'dead', 'failed'] as const;

/** The gauges and the number of tenants, in one round trip. */
export async function readOperatorOverview(system: SystemDb) {
  const { readings, tenants } = await system.run({ readings: readGauges(), tenants: countTenants() });
  const valueOf = (gauge: string, label = '') => findValue(readings, gauge, label);
  const by = <const Label extends string>(gauge: string, labels: readonly Label[]) =>
    Object.fromEntries(labels.map((label) => [label, valueOf(gauge, label)])) as Record<Label, number>;
  const kinds = readings.filter(({ gauge }) => gauge === 'queue_depth').map(({ label }) => label);
  return {
    version: VERSION,
    tenants,
    instances: by('instances', LIVE_STATUSES),
    hosts: by('hosts', HOST_STATES),
    messages: by('messages', OPEN_STATUSES),
    oldest_message_seconds: valueOf('messages_oldest_seconds'),
    queues: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        { depth: valueOf('queue_depth', kind), oldest_seconds: valueOf('queue_oldest_seconds', kind) },
      ]),
    ),
    certificates_expiring: valueOf('certificates_expiring'),
  };
}

const findValue = (readings: readonly Reading[], gauge: string, label: string): number =>
  readings.find((reading) => reading.gauge === gauge && reading.label === label)?.value ?? 0;
