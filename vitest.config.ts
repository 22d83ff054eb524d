import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests of whole programs: they start servers, databases and runtimes as processes, and stop or kill them. */
const SYSTEM = [
  'test/**/*.test.ts',
  '{demo,bench}/test/**/*.test.ts',
  'runtime/test/process.test.ts',
  'server/test/adapters/{embedded-postgres,isolation,process-engine}.test.ts',
  'server/test/platform/{stopping,unfinished-requests}.test.ts',
];

const shared = {
  pool: 'forks' as const,
  execArgv: ['--import', new URL('server/test/support/typescript.mjs', import.meta.url).href],
  // A bound for tests that hang. A test of ten processes takes minutes on a busy machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 180_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    // Tests wait for databases and processes as well as compute, so more workers than there are cores.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'quick',
          include: [
            'server/{src,test}/**/*.test.ts',
            '{runtime,sdk,cli}/test/**/*.test.ts',
            'dashboard/test/{rules,ui}/**/*.test.ts',
          ],
          exclude: SYSTEM,
          // Loading the service takes longer than most files' tests, so files share a process.
          isolate: false,
        },
      },
      { test: { ...shared, name: 'system', include: SYSTEM, isolate: false } },
      { test: { ...shared, name: 'pages', include: ['dashboard/test/pages/**/*.test.ts'], isolate: false } },
    ],
  },
});
