import { DatabaseGauges, type GaugeKind, type Reading } from '../platform/database-gauges.ts';
import type { SystemDb } from '../platform/db/queryable.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Clock } from '../platform/ports.ts';
import { DATABASE_TIME, readGauges } from './gauges.db.ts';

/** Every copy of the service reports the same values. */
const GAUGES: readonly GaugeKind[] = [
  {
    gauge: 'instances',
    name: 'acp_instances',
    help: 'Instances that are not terminated, by status',
    labels: {
      names: ['status'],
      known: ['pending', 'provisioning', 'running', 'stopped', 'failed', 'terminating'],
    },
  },
  {
    gauge: 'runtimes',
    name: 'acp_runtimes',
    help: 'Runtimes that are wanted, still there or asleep, by state; unready: up, but it does not answer for its health',
    labels: {
      names: ['state', 'cluster'],
      known: ['absent', 'starting', 'up', 'unready', 'ending', 'asleep'].map((state) => `${state}/default`),
    },
  },
  {
    gauge: 'cluster_reachable',
    name: 'acp_cluster_reachable',
    help: 'Clusters that runtimes run on: 1 where a copy reconciles it and reaches it',
    labels: { names: ['cluster'], known: [] },
  },
  {
    gauge: 'messages',
    name: 'acp_messages',
    help: 'Messages that wait (pending: for an agent, queued: for the channel) or were given up (dead, failed); at most 100000 are counted',
    labels: { names: ['status'], known: ['pending', 'queued', 'dead', 'failed'] },
  },
  {
    gauge: 'messages_oldest_seconds',
    name: 'acp_messages_oldest_seconds',
    help: 'Age of the oldest message that an agent should have by now: its instance runs, the conversation is open and no person has it',
  },
  {
    gauge: 'texts_oldest_seconds',
    name: 'acp_texts_oldest_seconds',
    help: 'Age of the oldest text that waits for its channel',
  },
  {
    gauge: 'event_deliveries_waiting',
    name: 'acp_event_deliveries_waiting',
    help: 'Deliveries of events that wait for their receivers; at most 100000 are counted',
  },
  {
    gauge: 'tasks',
    name: 'acp_tasks',
    help: 'Unfinished tasks, by status',
    labels: { names: ['status'], known: ['queued', 'running', 'canceling'] },
  },
  {
    gauge: 'rollouts',
    name: 'acp_rollouts',
    help: 'Rollouts by status, those of the last year; succeeded and rolled back ones too',
    labels: {
      names: ['status'],
      known: ['running', 'paused', 'stopped', 'succeeded', 'rolling_back', 'rolled_back'],
    },
  },
  {
    gauge: 'hosts',
    name: 'acp_hosts',
    help: 'Copies of the service that run runtimes; dead: not seen for 30 seconds',
    labels: { names: ['state'], known: ['alive', 'dead'] },
  },
  {
    gauge: 'certificates_expiring',
    name: 'acp_certificates_expiring',
    help: 'Certificates that should have been renewed: of running instances with 4 hours left, of the authority with 30 days left',
  },
  {
    gauge: 'migrating',
    name: 'acp_migrating',
    help: 'Copies of the service that migrate the database, or wait to',
  },
  {
    gauge: DATABASE_TIME,
    name: 'acp_clock_offset_seconds',
    help: "Seconds by which this copy's clock is ahead of the database's, at least; negative where it is behind",
  },
  {
    gauge: 'connections',
    name: 'acp_connections',
    help: 'Connections by status; refused: the channel refuses the credentials, expiring: within 7 days',
    labels: { names: ['status'], known: ['active', 'expiring', 'expired', 'refused'] },
  },
];

const gaugesOfQueues = (queues: readonly string[]): readonly GaugeKind[] => [
  {
    gauge: 'queue_depth',
    name: 'acp_queue_depth',
    help: 'Jobs that are due and that nobody works on; at most 100000 are counted',
    labels: { names: ['queue'], known: queues },
  },
  {
    gauge: 'queue_oldest_seconds',
    name: 'acp_queue_oldest_seconds',
    help: 'Time for which the oldest of those jobs has been due',
    labels: { names: ['queue'], known: queues },
  },
];

interface Sources {
  db: SystemDb;
  clock: Clock;
}

export const addGauges = (
  sources: Sources,
  { registry }: Metrics,
  queues: readonly string[],
  cacheMs?: number,
) =>
  new DatabaseGauges(
    registry,
    [...GAUGES, ...gaugesOfQueues(queues)],
    () => readWithOffset(sources),
    cacheMs,
  );

/** The duration of the statement is not an offset. */
async function readWithOffset({ db, clock }: Sources): Promise<Reading[]> {
  const before = clock().getTime() / 1000;
  const readings = await db.run(readGauges());
  // The clock has a resolution of 1 ms.
  const after = (clock().getTime() + 1) / 1000;
  const offset = (time: number) => (time < before ? before - time : Math.min(after - time, 0));
  return readings.map((reading) =>
    reading.gauge === DATABASE_TIME ? { ...reading, value: offset(reading.value) } : reading,
  );
}
