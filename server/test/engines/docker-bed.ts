import { randomUUID } from 'node:crypto';
import { DockerEngine, type DockerEngineOptions } from '../../src/adapters/docker-engine/engine.ts';
import { silentLog } from '../support/log.ts';
import type { EngineBed } from './contract.ts';

/** Shared by the suite's beds of fake and real daemons. */
export function dockerBed(daemon: { endpoint: string; image: string; subnets: string }) {
  const installation = randomUUID();
  const output: string[] = [];
  const bed = {
    output,
    outlives: true,
    image: daemon.image,
    open: (more: Partial<DockerEngineOptions> = {}) =>
      new DockerEngine({
        ...daemon,
        installation,
        cluster: 'default',
        pull_policy: 'missing',
        start_timeout_ms: 60_000,
        service_name: 'service.test',
        log: silentLog,
        onOutput: async (_id, lines) => void output.push(...lines),
        ...more,
      }),
  } satisfies Partial<EngineBed>;
  return {
    bed,
    installation,
    nameOf: (instance_id: string) => `acp-${installation.slice(0, 8)}-${instance_id}`,
  };
}
