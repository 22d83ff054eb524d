import { describe, test } from 'vitest';
import { describeEngine, type EngineBed } from './contract.ts';
import { dockerBed } from './docker-bed.ts';
import { RealDocker } from './real-docker.ts';

/** A daemon of Docker or Podman whose containers this process reaches by their addresses. */
const { DOCKER_HOST, DOCKER_TEST_SUBNETS = '10.213.0.0/16' } = process.env;

if (DOCKER_HOST) {
  describeEngine(`docker, at ${DOCKER_HOST}`, async () => {
    const docker = await RealDocker.open(DOCKER_HOST);
    const { bed: common, nameOf } = dockerBed({
      endpoint: DOCKER_HOST,
      image: docker.image,
      subnets: DOCKER_TEST_SUBNETS,
    });
    const bed: EngineBed = {
      ...common,
      close: () => docker.close(),
      outOfMemory: async (_id, address) => {
        const { host } = new URL(address);
        await fetch(`http://${host}/allocate?400`).catch(() => {});
      },
      occupy: (id) => docker.occupy(nameOf(id)),
      isOccupied: async (id) => !(await docker.labels(nameOf(id))).includes(id),
      removeByHand: (id) => docker.remove(nameOf(id)),
      labels: (id) => docker.labels(nameOf(id)),
    };
    return bed;
  });
} else {
  describe('the engine docker, at a real daemon', () => {
    test.skip('needs DOCKER_HOST', () => {});
  });
}
