import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      '{server,runtime,sdk,cli,demo,bench}/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    globalSetup: ['server/test/support/global-setup.ts'],
    pool: 'forks',
    // Tests wait for databases and processes as well as compute: with one worker fewer the cores would be idle meanwhile.
    maxWorkers: availableParallelism() + 1,
    // They end what hangs. A test of ten processes takes minutes where the machine has other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
