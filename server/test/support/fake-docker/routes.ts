import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { FakeContainer, Wanted } from './fake-container.ts';
import { type Call, FakeDocker, type FakeDockerOptions } from './fake-docker.ts';
import type { FakeNetwork } from './fake-networks.ts';
import { Refused } from './refused.ts';

type Handler = (fake: FakeDocker, call: Call & { name: string }, response: ServerResponse) => unknown;

const json = (response: ServerResponse, status: number, body?: unknown) => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
};

/** Labels of a `filters` parameter, each of which must be there. */
function hasLabels(call: Call, labels: Readonly<Record<string, string>> = {}): boolean {
  const { label = [] } = JSON.parse(call.query.get('filters') ?? '{}') as { label?: string[] };
  return label.every((one) => Object.entries(labels).some(([key, value]) => `${key}=${value}` === one));
}

function inspect(fake: FakeDocker, container: FakeContainer) {
  const { id, name, wanted, addresses, status, exitCode, isOutOfMemory, startedAt } = container;
  const networks = [...addresses].map(([NetworkID, IPAddress]): [string, object] => [
    fake.networks.find(NetworkID)?.Name ?? NetworkID,
    { NetworkID, IPAddress: status === 'running' ? IPAddress : '' },
  ]);
  return {
    Id: id,
    Name: `/${name}`,
    State: { Status: status, ExitCode: exitCode, OOMKilled: isOutOfMemory, StartedAt: startedAt },
    Config: { Hostname: id.slice(0, 12), Env: wanted.Env, Labels: wanted.Labels },
    HostConfig: wanted.HostConfig,
    NetworkSettings: { Networks: Object.fromEntries(networks) },
  };
}

const start: Handler = async (fake, { name }, response) => {
  const container = fake.find(name);
  if (container.status === 'running') return json(response, 304);
  await fake.starting;
  await fake.startContainer(container);
  json(response, 204);
};

const stop: Handler = async (fake, { name, query }, response) => {
  const container = fake.find(name);
  if (container.status !== 'running') return json(response, 304);
  await container.end('SIGTERM', Number(query.get('t') ?? 10) * 1000);
  json(response, 204);
};

const remove: Handler = async (fake, { name, query }, response) => {
  const container = fake.find(name);
  if (container.status === 'running' && query.get('force') !== 'true') {
    throw new Refused(409, 'You cannot remove a running container');
  }
  await fake.remove(name);
  json(response, 204);
};

const pull: Handler = async (fake, { query, headers }, response) => {
  const image = [query.get('fromImage'), query.get('tag')].filter(Boolean).join(':');
  fake.logins.push(headers['x-registry-auth'] as string | undefined);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write(`${JSON.stringify({ status: `Pulling from ${image}` })}\r\n`);
  await fake.pulling;
  const command = fake.registry.get(image);
  if (command) fake.images.set(image, command);
  const error = `manifest for ${image} not found: manifest unknown`;
  response.end(
    JSON.stringify(command ? { status: 'Pull complete' } : { error, errorDetail: { message: error } }),
  );
};

const connect: Handler = (fake, { name, body }, response) => {
  const { Container, EndpointConfig } = body as {
    Container: string;
    EndpointConfig?: { Aliases?: string[] };
  };
  const { network, ip } = fake.networks.connect(name, fake.find(Container).id, EndpointConfig?.Aliases);
  const container = fake.find(Container);
  container.addresses.set(network.Id, container.formerAddresses.get(network.Id) ?? ip);
  json(response, 200);
};

const disconnect: Handler = (fake, { name, body }, response) => {
  fake.takeOut(fake.find((body as { Container: string }).Container), name);
  json(response, 200);
};

const logs: Handler = (fake, { name }, response) => {
  const { log } = fake.find(name);
  response.writeHead(200);
  response.end(log);
};

const events: Handler = (fake, { query }, response) => {
  const { type = [] } = JSON.parse(query.get('filters') ?? '{}') as { type?: string[] };
  response.writeHead(200);
  response.flushHeaders();
  fake.follow(response, type);
};

const createNetwork: Handler = (fake, { body }, response) => {
  const network = fake.networks.create(body as FakeNetwork);
  json(response, 201, { Id: network.Id });
  fake.tellNetwork(network, 'create');
};

/** Containers that do not run are not shown. */
const inspectNetwork: Handler = (fake, { name }, response) => {
  const network = fake.networks.find(name);
  if (!network) throw new Refused(404, `network ${name} not found`);
  const ids = fake.networks.endpoints.flatMap((one) => (one.network === network.Id ? one.container : []));
  const Containers = Object.fromEntries(ids.map((id) => [id, { Name: fake.find(id).name }]));
  json(response, 200, { ...network, Containers });
};

const removeVolume: Handler = async (fake, { name }, response) => {
  const directory = fake.volumes.get(name);
  if (directory === undefined) throw new Refused(404, 'no such volume');
  fake.volumes.delete(name);
  await rm(directory, { recursive: true, force: true });
  json(response, 204);
};

const ROUTES: readonly (readonly [call: RegExp, handle: Handler])[] = [
  [/^GET \/_ping()$/, (_fake, _call, response) => json(response, 200)],
  [
    /^GET \/info()$/,
    (_fake, _call, response) => json(response, 200, { IndexServerAddress: 'https://hub.test/v1/' }),
  ],
  [/^GET \/events()$/, events],
  [
    /^GET \/containers\/json()$/,
    (fake, call, response) => {
      const all = [...fake.containers.values()].filter(({ wanted }) => hasLabels(call, wanted.Labels));
      json(
        response,
        200,
        all.map(({ id, name, wanted }) => ({ Id: id, Names: [`/${name}`], Labels: wanted.Labels })),
      );
    },
  ],
  [
    /^POST \/containers\/create()$/,
    (fake, { query, body }, response) =>
      json(response, 201, { Id: fake.create(query.get('name') ?? '', body as Wanted).id }),
  ],
  [
    /^GET \/containers\/([^/]+)\/json$/,
    (fake, { name }, response) => json(response, 200, inspect(fake, fake.find(name))),
  ],
  [/^GET \/containers\/([^/]+)\/logs$/, logs],
  [/^POST \/containers\/([^/]+)\/start$/, start],
  [/^POST \/containers\/([^/]+)\/stop$/, stop],
  [/^DELETE \/containers\/([^/]+)$/, remove],
  [
    /^GET \/images\/(.+)\/json$/,
    (fake, { name }, response) =>
      json(response, fake.images.has(name) ? 200 : 404, { message: 'No such image' }),
  ],
  [/^POST \/images\/create()$/, pull],
  [
    /^GET \/networks()$/,
    (fake, call, response) =>
      json(
        response,
        200,
        [...fake.networks.all.values()].filter(({ Labels }) => hasLabels(call, Labels)),
      ),
  ],
  [/^POST \/networks\/create()$/, createNetwork],
  [/^GET \/networks\/([^/]+)$/, inspectNetwork],
  [/^POST \/networks\/([^/]+)\/connect$/, connect],
  [/^POST \/networks\/([^/]+)\/disconnect$/, disconnect],
  [
    /^DELETE \/networks\/([^/]+)$/,
    (fake, { name }, response) => {
      fake.networks.delete(name);
      json(response, 204);
    },
  ],
  [/^DELETE \/volumes\/([^/]+)$/, removeVolume],
];

async function answer(fake: FakeDocker, call: Call, response: ServerResponse): Promise<void> {
  for (const [pattern, handle] of ROUTES) {
    const [whole, name = ''] = pattern.exec(`${call.method} ${call.path}`) ?? [];
    if (whole !== undefined) {
      await handle(fake, { ...call, name }, response);
      return;
    }
  }
  throw new Refused(404, 'page not found');
}

export const startFakeDocker = (options: FakeDockerOptions = {}): Promise<FakeDocker> =>
  FakeDocker.start(options, answer);
