import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need Linux and a network (npm run test:arm64), or an emulator of AWS (npm run test:localstack).
    exclude: ['test/other-nodes/**', 'test/localstack/**'],
    globalSetup: ['scripts/require-kernels.mjs'],
    // Processes, not threads: the runner under test has a pool of threads of its own. Two, for machines of two cores.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
