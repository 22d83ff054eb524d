import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,runtime,sdk,cli,demo,bench}/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    pool: 'forks',
    // Tests wait for databases and processes more than they compute: by default one core would be left idle.
    maxWorkers: availableParallelism(),
    // They end what hangs. A test of ten processes takes minutes where the machine has other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
