import { createHash } from 'node:crypto';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { ListedContainer, ListedNetwork } from './api.ts';
import type { DockerClient } from './client.ts';
import { DockerRefusal, StartFailure } from './failures.ts';
import { LABEL, type Names } from './names.ts';
import type { OwnContainer } from './own-container.ts';
import { kindOf, type NetworkKind, type ServiceNetworks } from './service-networks.ts';
import { freeSubnets, type Subnet } from './subnets.ts';

/** From this version on a network can be closed towards the machine that it is on. */
const ISOLATES = 47;
const OVERLAP = /overlap|already (?:used|allocated)|is being used/i;
const CALLS_AT_ONCE = 4;

export interface Attached {
  /** Id of the tenant's network. */
  network: string;
  /** Id of the network with a way out. */
  internet: string | undefined;
  /** Entries for /etc/hosts. */
  hosts: readonly string[];
}

interface NetworksOptions {
  client: DockerClient;
  names: Names;
  networks: ServiceNetworks;
  /** An IPv4 network in CIDR form. */
  subnets: string;
  /** The host by which runtimes call the service. */
  service_name: string;
  own: () => Promise<OwnContainer | undefined>;
}

interface Tenant {
  /** Making and removing networks do not overlap. */
  readonly steps: Semaphore;
  /** Starts under way, whose container the daemon does not list yet. */
  users: number;
}

/** A network for each tenant: its runtimes reach the service and each other, and nobody else. */
export class TenantNetworks {
  readonly #options: NetworksOptions;
  readonly #tenants = new Map<string, Tenant>();

  constructor(options: NetworksOptions) {
    this.#options = options;
  }

  /** The networks stay while `work` runs. */
  async use<T>(
    tenant_id: string,
    { internet }: { internet: boolean },
    work: (attached: Attached) => Promise<T>,
  ): Promise<T> {
    const tenant = this.#tenant(tenant_id);
    tenant.users++;
    try {
      return await work(await tenant.steps.run(() => this.#provide(tenant_id, internet)));
    } finally {
      tenant.users--;
      this.#forget(tenant_id, tenant);
    }
  }

  /** Removes the tenant's networks unless it has containers. */
  async release(tenant_id: string): Promise<void> {
    const tenant = this.#tenant(tenant_id);
    await tenant.steps.run(async () => {
      if (tenant.users > 0 || (await this.#hasContainers(tenant_id))) return;
      const listed = await this.#options.networks.list({ [LABEL.tenant]: tenant_id });
      for (const network of listed) await this.#remove(network);
    });
    this.#forget(tenant_id, tenant);
  }

  /**
   * Removes networks of tenants without containers, of whose end nobody was told. The service's container joins the
   * others: it is a new one after an update.
   */
  async settle(): Promise<void> {
    const { networks, own: findOwn } = this.#options;
    const own = await findOwn();
    const tenants = new Set((await networks.list()).flatMap(({ Labels }) => Labels?.[LABEL.tenant] ?? []));
    const steps = new Semaphore(CALLS_AT_ONCE);
    await Promise.all([...tenants].map((tenant_id) => steps.run(() => this.release(tenant_id))));
    if (own) await networks.joinAll(own);
  }

  async #provide(tenant_id: string, internet: boolean): Promise<Attached> {
    const { client, networks, service_name, own: findOwn } = this.#options;
    const own = await findOwn();
    const isolates = own && (await client.version()) >= ISOLATES;
    const network = await this.#find(tenant_id, isolates ? 'isolated' : 'gateway');
    if (own) await networks.join(network, own);
    const outside = internet ? await this.#find(tenant_id, 'internet') : undefined;
    const gateway = network.IPAM?.Config?.[0]?.Gateway;
    const hosts = own || !gateway ? [] : [`${service_name}:${gateway}`];
    return { network: network.Id, internet: outside?.Id, hosts };
  }

  /** @returns false: somebody is in it */
  async #remove(network: ListedNetwork): Promise<boolean> {
    const { networks, own: findOwn } = this.#options;
    const isRemoved = await networks.remove(network);
    if (isRemoved) (await findOwn())?.networks.delete(network.Id);
    return isRemoved;
  }

  async #find(tenant_id: string, kind: NetworkKind): Promise<ListedNetwork> {
    const name = this.#options.names.ofNetwork(tenant_id, { internet: kind === 'internet' });
    const found = await this.#findByName(tenant_id, name);
    if (found && kindOf(found) === kind) return found;
    // The service moved into a container, or out of one. A network in use stays as it is.
    if (found && !(await this.#remove(found))) return found;
    return this.#create(tenant_id, name, kind);
  }

  /** A daemon may have two of one name; all copies then take the same one. */
  async #findByName(tenant_id: string, name: string): Promise<ListedNetwork | undefined> {
    const all = await this.#options.networks.list({ [LABEL.tenant]: tenant_id });
    const listed = all.filter(({ Name }) => Name === name);
    const [first] = listed.toSorted((a, b) => (`${a.Created} ${a.Id}` < `${b.Created} ${b.Id}` ? -1 : 1));
    return first;
  }

  async #create(tenant_id: string, name: string, kind: NetworkKind): Promise<ListedNetwork> {
    const { client, names, subnets } = this.#options;
    const all = await client.get<ListedNetwork[]>('/networks');
    const taken = all.flatMap(({ IPAM }) => (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []));
    const seed = createHash('sha256').update(`${names.owner.installation} ${name}`).digest().readUInt32BE();
    for (const subnet of freeSubnets(subnets, taken, seed)) {
      if (!(await this.#tryCreate(tenant_id, { name, kind, subnet }))) continue;
      const made = await this.#findByName(tenant_id, name);
      if (made) return made;
    }
    throw new StartFailure('unschedulable', 'DOCKER_SUBNETS has no free subnet of 128 addresses');
  }

  /** @returns false: another network has these addresses */
  async #tryCreate(
    tenant_id: string,
    wanted: { name: string; kind: NetworkKind; subnet: Subnet },
  ): Promise<boolean> {
    const { client, names } = this.#options;
    const { name, kind, subnet } = wanted;
    const Labels = {
      [LABEL.installation]: names.owner.installation,
      [LABEL.tenant]: tenant_id,
      [LABEL.network]: kind,
    };
    const IPAM = { Driver: 'default', Config: [{ Subnet: subnet.subnet, Gateway: subnet.gateway }] };
    const body = {
      Name: name,
      CheckDuplicate: true,
      Driver: 'bridge',
      Internal: kind !== 'internet',
      Labels,
      IPAM,
      Options: OPTIONS[kind],
    };
    try {
      await client.send({ method: 'POST', path: '/networks/create', body }, 409);
      return true;
    } catch (error) {
      if (error instanceof DockerRefusal && OVERLAP.test(error.message)) return false;
      throw error;
    }
  }

  async #hasContainers(tenant_id: string): Promise<boolean> {
    const { client, names } = this.#options;
    const filters = names.filter({ [LABEL.tenant]: tenant_id });
    return (
      (await client.get<ListedContainer[]>('/containers/json', { all: 1, limit: 1, filters })).length > 0
    );
  }

  #tenant(tenant_id: string): Tenant {
    const tenant = this.#tenants.get(tenant_id) ?? { steps: new Semaphore(1), users: 0 };
    this.#tenants.set(tenant_id, tenant);
    return tenant;
  }

  #forget(tenant_id: string, tenant: Tenant): void {
    if (tenant.users === 0 && tenant.steps.isFree) this.#tenants.delete(tenant_id);
  }
}

const OPTIONS: Readonly<Record<NetworkKind, Record<string, string>>> = {
  isolated: { 'com.docker.network.bridge.gateway_mode_ipv4': 'isolated' },
  gateway: {},
  // Runtimes of a tenant meet in its internal network alone.
  internet: { 'com.docker.network.bridge.enable_icc': 'false' },
};
