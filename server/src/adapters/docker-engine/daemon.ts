import type { SeldomLog } from '../../platform/seldom-log.ts';
import type { ContainerInspect } from './api.ts';
import type { Containers } from './containers.ts';
import type { Images } from './images.ts';
import type { LastWords } from './last-words.ts';
import type { TenantNetworks } from './networks.ts';

/** Shared by all supervisors of an engine. */
export interface Daemon {
  readonly containers: Containers;
  readonly images: Images;
  readonly networks: TenantNetworks;
  readonly image: string;
  readonly start_timeout_ms: number;
  readonly log: SeldomLog;
  /** Also hands them over. */
  lastWordsOf(instance_id: string, container: ContainerInspect): Promise<LastWords>;
  clean(instance_id: string, line: string): Promise<string>;
}
