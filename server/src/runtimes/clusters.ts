import type { Queryable, SystemDb } from '../platform/db/queryable.ts';
import { conflict, invalid, missing } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { seal } from '../secrets/sealing.ts';
import type { ClusterPut } from './clusters.contract.ts';
import {
  changeDefaultEngine,
  clusterExists,
  clusterIsFree,
  clusterMayBecome,
  DEFAULT_CLUSTER,
  deleteCluster,
  findDefaultEngine,
  lockCluster,
  putCluster,
  regionExists,
} from './clusters.db.ts';

export interface ClusterServices {
  keyring: Pick<Keyring, 'serviceKey'>;
  settings: {
    /** False without MTLS_PUBLIC_URL or RUNTIME_IMAGE. */
    runs_clusters?: boolean;
  };
}

/** Endpoints, without user, password, query and fragment. */
const ADDRESS = {
  docker: /^(?:unix:\/\/\/[^\s?#]+|tcp:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?)$/,
  kubernetes: /^https:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:\/[^\s?#]*)?$/,
} as const;

const FORM = {
  docker: 'Input should be unix:///path or tcp://host:port',
  kubernetes: 'Input should be an https URL without user, query and fragment',
} as const;

const CREDENTIALS = { docker: ['ca', 'cert', 'key'], kubernetes: ['token', 'ca'] } as const;

/** Binds the sealed credentials to their cluster: in another row, they do not open. */
const context = (id: string) => `cluster:${id}`;

/** 404 for an unknown region; 422 for what does not fit the engine; 409 as the operation says. */
export async function saveCluster(
  { keyring, settings }: ClusterServices,
  system: SystemDb,
  id: string,
  put: ClusterPut,
) {
  requireOwnCluster(id);
  requireFitting(put);
  if (!settings.runs_clusters) {
    throw conflict('MTLS_PUBLIC_URL and RUNTIME_IMAGE have to be set: runtimes on clusters need both');
  }
  const { credentials, ...given } = put;
  const sealed =
    credentials && seal(keyring.serviceKey('clusters'), JSON.stringify(credentials), context(id));
  return system.transaction(async (q) => {
    const { row } = await q.run({
      locked: lockCluster(id),
      region: regionExists(put.region_id),
      isAllowed: clusterMayBecome(id, put),
      row: putCluster(id, given, sealed),
    });
    requireCertificates(row);
    return row;
  });
}

/** By name; empty without any. @throws Unreadable */
export function openCredentials(
  keyring: Pick<Keyring, 'openUnder'>,
  { id, sealed_credentials }: { id: string; sealed_credentials: Buffer | null },
): Partial<Record<'token' | 'ca' | 'cert' | 'key', string>> {
  if (!sealed_credentials) return {};
  return JSON.parse(keyring.openUnder('clusters', sealed_credentials, context(id)));
}

/** Terminated instances count as those of `default` afterwards. */
export async function removeCluster(system: Queryable, id: string): Promise<void> {
  requireOwnCluster(id);
  await system.run(lockCluster(id), clusterExists(id), clusterIsFree(id), deleteCluster(id));
}

/** Gives `default` the engine of the setting. Throws one line while instances are there that have another one. */
export async function settleDefaultCluster(
  system: Queryable,
  provisioner: 'process' | 'docker' | 'kubernetes' = 'process',
): Promise<void> {
  const engine = await system.run(findDefaultEngine());
  if (engine === provisioner) return;
  await system.run(
    lockCluster(DEFAULT_CLUSTER),
    clusterIsFree(
      DEFAULT_CLUSTER,
      `PROVISIONER is ${provisioner}, but the instances of the cluster default run with ${engine}: start with that one and terminate them first`,
    ),
    changeDefaultEngine(provisioner),
  );
}

function requireOwnCluster(id: string): void {
  if (id === DEFAULT_CLUSTER) {
    throw conflict('The service makes the cluster default: its engine is that of the setting PROVISIONER');
  }
}

function requireFitting({ engine, endpoint, credentials, options }: ClusterPut): void {
  if (endpoint && !(ADDRESS[engine].test(endpoint) && hasPort(endpoint)))
    throw invalid(['body', 'endpoint'], FORM[engine]);
  if (options && engine !== 'kubernetes' && Object.keys(options).length > 0)
    throw invalid(['body', 'options'], 'Only clusters with the engine kubernetes have options');
  if (!credentials) return;
  const names: readonly string[] = CREDENTIALS[engine];
  for (const name of names) if (!Object.hasOwn(credentials, name)) throw missing('body', 'credentials', name);
  const other = Object.keys(credentials).find((name) => !names.includes(name));
  if (other !== undefined)
    throw invalid(['body', 'credentials', other], `Credentials for ${engine} are ${names.join(', ')}`);
}

/** Whoever reaches the daemon is root there. Ends the transaction: what was stored before may complete the request. */
function requireCertificates({
  endpoint,
  has_credentials,
}: {
  endpoint: string | null;
  has_credentials: boolean;
}): void {
  if (endpoint?.startsWith('tcp:') && !has_credentials) throw missing('body', 'credentials');
}

/** None, or one that exists. */
function hasPort(endpoint: string): boolean {
  const port = /^\w+:\/\/(?:\[[^\]]*\]|[^/:[]*):(\d+)/.exec(endpoint)?.[1];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}
