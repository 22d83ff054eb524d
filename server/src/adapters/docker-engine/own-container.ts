import type { ContainerInspect } from './api.ts';
import type { DockerClient } from './client.ts';

/** The container of this service on the same daemon. */
export interface OwnContainer {
  readonly id: string;
  /** Ids of networks that it is in. */
  readonly networks: Set<string>;
}

/** @param hostname of this machine: a container's is its short id. @returns undefined: the service is no container there */
export async function findOwnContainer(
  client: DockerClient,
  hostname: string,
): Promise<OwnContainer | undefined> {
  if (!/^[0-9a-f]{12,64}$/.test(hostname)) return undefined;
  const found = await client.find<ContainerInspect>(`/containers/${hostname}/json`);
  if (!found?.Id.startsWith(hostname)) return undefined;
  const networks = Object.values(found.NetworkSettings?.Networks ?? {});
  return { id: found.Id, networks: new Set(networks.flatMap(({ NetworkID }) => NetworkID ?? [])) };
}
