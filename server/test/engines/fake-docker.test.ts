import { startFakeDocker } from '../support/fake-docker/routes.ts';
import { TEST_RUNTIME } from '../support/runtimes.ts';
import { describeEngine, type EngineBed } from './contract.ts';
import { dockerBed } from './docker-bed.ts';

const IMAGE = 'runtime:1';

for (const isPodman of [false, true]) {
  describeEngine(isPodman ? 'docker, on a fake Podman' : 'docker, on a fake Docker', async () => {
    const fake = await startFakeDocker({
      images: { [IMAGE]: TEST_RUNTIME },
      ...(isPodman && { isPodman, api: '1.41' }),
    });
    const { bed: common, nameOf } = dockerBed({
      endpoint: fake.endpoint,
      image: IMAGE,
      subnets: `${fake.loopback.prefix}.0.0/16`,
    });
    const bed: EngineBed = {
      ...common,
      close: () => fake.close(),
      outOfMemory: (id) => fake.outOfMemory(nameOf(id)),
      occupy: async (id) => void fake.create(nameOf(id), { Image: IMAGE }),
      isOccupied: async (id) => fake.find(nameOf(id)).wanted.Labels === undefined,
      removeByHand: (id) => fake.remove(nameOf(id)),
      takeAway: async () => {
        await fake.away();
        return () => fake.listen();
      },
      labels: async (id) => JSON.stringify(fake.find(nameOf(id)).wanted.Labels),
    };
    return bed;
  });
}
