import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,runtime,sdk,cli,demo,bench}/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
