import { randomBytes } from 'node:crypto';
import { Refused } from './refused.ts';

export interface FakeNetwork {
  Id: string;
  Name: string;
  Created: string;
  Internal: boolean;
  Labels: Record<string, string>;
  Options: Record<string, string>;
  IPAM: { Config: { Subnet: string; Gateway: string }[] };
}

interface Endpoint {
  network: string;
  container: string;
  aliases: readonly string[];
}

/** Networks with the addresses of their subnets, which may not overlap. */
export class FakeNetworks {
  readonly all = new Map<string, FakeNetwork>();
  readonly endpoints: Endpoint[] = [];
  /** Subnets that something else on the machine has. */
  readonly foreign = new Set<string>();
  #addresses = 1;

  create(wanted: Omit<FakeNetwork, 'Id' | 'Created'>): FakeNetwork {
    if (this.find(wanted.Name)) throw new Refused(409, `network with name ${wanted.Name} already exists`);
    const subnets = wanted.IPAM.Config.map(({ Subnet }) => Subnet);
    const taken = [...this.all.values()].flatMap(({ IPAM }) => IPAM.Config.map(({ Subnet }) => Subnet));
    if (subnets.some((subnet) => taken.includes(subnet) || this.foreign.has(subnet))) {
      throw new Refused(403, 'Pool overlaps with other one on this address space');
    }
    const network = { ...wanted, Id: randomBytes(32).toString('hex'), Created: new Date().toISOString() };
    this.all.set(network.Id, network);
    return network;
  }

  find(name: string): FakeNetwork | undefined {
    return this.all.get(name) ?? [...this.all.values()].find(({ Name }) => Name === name);
  }

  /** @returns the container's address there */
  connect(
    name: string,
    container: string,
    aliases: readonly string[] = [],
  ): { network: FakeNetwork; ip: string } {
    const network = this.find(name);
    if (!network) throw new Refused(404, `network ${name} not found`);
    const isThere = this.endpoints.some((one) => one.network === network.Id && one.container === container);
    if (isThere) throw new Refused(403, 'endpoint already exists in network');
    this.endpoints.push({ network: network.Id, container, aliases });
    const [first = '', second = '', third = '', rest = ''] = (network.IPAM.Config[0]?.Gateway ?? '').split(
      '.',
    );
    this.#addresses = (this.#addresses % 100) + 1;
    return { network, ip: [first, second, third, Number(rest) + this.#addresses].join('.') };
  }

  disconnect(container: string, name?: string): void {
    const network = name === undefined ? undefined : this.find(name);
    const kept = this.endpoints.filter(
      (one) => one.container !== container || (network !== undefined && one.network !== network.Id),
    );
    this.endpoints.splice(0, this.endpoints.length, ...kept);
  }

  delete(name: string): void {
    const network = this.find(name);
    if (!network) throw new Refused(404, `network ${name} not found`);
    if (this.endpoints.some((one) => one.network === network.Id)) {
      throw new Refused(403, `network ${name} has active endpoints`);
    }
    this.all.delete(network.Id);
  }
}
