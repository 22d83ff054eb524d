import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start programs, or replace parts of Node, have a process of their own per file. */
const OWN_PROCESS = [
  'server/test/adapters/**',
  'server/test/platform/{stopping,unfinished-requests}.test.ts',
];

const shared = {
  pool: 'forks' as const,
  // A bound for tests that hang. A test of ten processes takes minutes on a busy machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 180_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    // Tests wait for databases and processes as well as compute, so one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'server',
          include: ['server/{src,test}/**/*.test.ts'],
          exclude: OWN_PROCESS,
          // Loading the service takes longer than most files' tests, so files share a process.
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'programs',
          include: [...OWN_PROCESS, '{runtime,sdk,cli,demo,bench}/test/**/*.test.ts', 'test/**/*.test.ts'],
        },
      },
    ],
  },
});
