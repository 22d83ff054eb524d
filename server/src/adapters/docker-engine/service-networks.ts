import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import type { InspectedNetwork, ListedNetwork } from './api.ts';
import type { DockerClient } from './client.ts';
import { DockerRefusal } from './failures.ts';
import { LABEL, type Names } from './names.ts';
import type { OwnContainer } from './own-container.ts';

const CALLS_AT_ONCE = 4;
/** Another copy of the service may join a network that is about to be removed. */
const REMOVALS_AT_MOST = 3;

export type NetworkKind = 'isolated' | 'gateway' | 'internet';

interface ServiceNetworksOptions {
  client: DockerClient;
  names: Names;
  /** The host by which runtimes call the service. */
  service_name: string;
  log: Log;
}

/** The tenants' networks of a daemon, in which each copy of the service that is a container there is as well. */
export class ServiceNetworks {
  readonly #options: ServiceNetworksOptions;

  constructor(options: ServiceNetworksOptions) {
    this.#options = options;
  }

  async list(labels: Readonly<Record<string, string>> = {}): Promise<ListedNetwork[]> {
    const { client, names } = this.#options;
    const listed = await client.get<ListedNetwork[]>('/networks', { filters: names.filter(labels) });
    return listed.filter(({ Labels }) => names.isOurs(Labels));
  }

  /** Nobody calls the service through the networks with a way out. */
  async joinAll(own: OwnContainer): Promise<void> {
    const steps = new Semaphore(CALLS_AT_ONCE);
    const networks = (await this.list()).filter((network) => kindOf(network) !== 'internet');
    await Promise.all(networks.map((network) => steps.run(() => this.join(network, own))));
  }

  async join(network: ListedNetwork, own: OwnContainer): Promise<void> {
    if (own.networks.has(network.Id)) return;
    const { client, service_name } = this.#options;
    const body = { Container: own.id, EndpointConfig: { Aliases: [service_name] } };
    // 403: it is there. 404: the network was removed meanwhile.
    await client.send({ method: 'POST', path: `/networks/${network.Id}/connect`, body }, 403, 404);
    own.networks.add(network.Id);
  }

  /** Takes every copy of the service out of it. @returns false: somebody else is in it */
  async remove(network: ListedNetwork): Promise<boolean> {
    const { client, log } = this.#options;
    for (let removals = 1; ; removals++) {
      if (!(await this.#empty(network.Id))) return false;
      try {
        await client.send({ method: 'DELETE', path: `/networks/${network.Id}` }, 404);
        return true;
      } catch (error) {
        if (!(error instanceof DockerRefusal)) throw error;
        if (removals < REMOVALS_AT_MOST) continue;
        log.info({ network: network.Name, err: error }, 'a network of a tenant stays, because it is in use');
        return false;
      }
    }
  }

  /** @returns false: a runtime is in it */
  async #empty(id: string): Promise<boolean> {
    const { client, names } = this.#options;
    const path = `/networks/${id}`;
    const { Containers } = (await client.find<InspectedNetwork>(path)) ?? {};
    const inside = Object.entries(Containers ?? {});
    if (inside.some(([, { Name }]) => names.instanceOf(Name) !== undefined)) return false;
    for (const [Container] of inside) {
      const call = { method: 'POST' as const, path: `${path}/disconnect`, body: { Container, Force: true } };
      await client.send(call, 403, 404);
    }
    return true;
  }
}

export const kindOf = ({ Labels }: ListedNetwork) => Labels?.[LABEL.network];
