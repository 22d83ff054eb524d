import type { Running, Window } from './contestants/contestant.ts';
import { costOf } from './cost.ts';
import type { GenerateLoad, Load } from './load/load.ts';
import { usageOf } from './usage.ts';
import type { Workload } from './workloads/workload.ts';
import type { World } from './world.ts';

export interface Measurement extends Load {
  workload: string;
  contestant: string;
  connections: number;
  repeat: number;
  cpu_us_per_request: number | undefined;
  postgres_cpu_us_per_request: number;
  /** Resident, at the end of the window. */
  rss_mib: number | undefined;
}

export async function measure(
  world: World,
  running: Running,
  workload: Workload,
  window: Window,
  generate: GenerateLoad,
): Promise<Omit<Measurement, 'workload' | 'contestant' | 'connections' | 'repeat'>> {
  const order = running.kind === 'http' ? workload.requests(running, world, window) : undefined;
  const pid = running.kind === 'http' ? running.pid : undefined;
  const {
    result: load,
    cpu_ms,
    postgres_cpu_ms,
  } = await costOf(world, pid, () =>
    running.kind === 'floor'
      ? running.measure(workload.script(world), window)
      : generate({
          ...window,
          calls: [],
          once: false,
          ...order,
          base_url: running.base_url,
          directory: world.directory,
        }),
  );
  const perRequest = (ms: number) => (ms * 1000) / load.requests;
  return {
    ...load,
    cpu_us_per_request: pid === undefined ? undefined : perRequest(cpu_ms),
    postgres_cpu_us_per_request: perRequest(postgres_cpu_ms),
    rss_mib: pid === undefined ? undefined : usageOf(pid).rss_mib,
  };
}
